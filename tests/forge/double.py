"""A forge on loopback: GitHub, GitLab or Gitea, with its state in memory, and with moods."""

import hashlib
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import SHUT_RDWR
from threading import Thread

from domain.forges.projects import ForgeKind, ForgeProject
from tests.forge.hosting import Hosting
from tests.forge.moods import Mood, Moods
from tests.forge.routing import Answered, Asked, Handler, RefusedError
from tests.forge.skins.gitea import Gitea
from tests.forge.skins.github import GitHub
from tests.forge.skins.gitlab import GitLab
from tests.forge.things import Pull
from tests.forge.world import World

TOKEN = "ghp_" + "0" * 36
"""The token of the account `treadle-bot`."""
PROJECTS = {
    ForgeKind.GITHUB: "octo/work",
    ForgeKind.GITLAB: "octo/team/work",
    ForgeKind.GITEA: "octo/work",
}
"""The project that each double begins with; GitLab's is in a nested group."""
_SKINS = {ForgeKind.GITHUB: GitHub, ForgeKind.GITLAB: GitLab, ForgeKind.GITEA: Gitea}
_CHANGED_OR_NEW = 300
_INSTALLATION = re.compile(r"/app/installations/(\d+)/access_tokens")


class Double(World):
    """A forge that is served; see `World` for what other people do on it."""

    def __init__(self, kind: ForgeKind, moods: Moods | None, port: int) -> None:
        super().__init__()
        self.kind = kind
        self.moods = moods
        self.host = f"127.0.0.1:{port}"
        self.skin = _SKINS[kind](self, self.host)
        self.router = self.skin.routes()
        self.url = f"http://{self.host}{self.skin.root}"
        """The API's address."""
        self.path = PROJECTS[kind]
        self.add_project(self.path)
        self.requests: list[str] = []
        self.not_modified = 0
        self.understood: list[tuple[str, Asked, Answered]] = []
        """Requests by the route that answered them, and the answers."""
        self.wrong: list[str] = []
        """Requests that the forge would not know."""
        self.next_answers: list[Answered] = []
        """Answers to come, whatever is asked."""
        self.statuses: Counter[int] = Counter()
        self.seen_tokens: list[str] = []
        self.has_scope = True
        self.installs: Handler | None = None
        """Answers an App that asks for the token of its installation."""
        self.hosting: Hosting | None = None
        self.before_answer: Callable[[str, Asked], None] = lambda _route, _asked: None
        """Called with what was carried out, before it is answered."""

    @property
    def project_id(self) -> ForgeProject:
        """The project that the double begins with."""
        return self.named(self.path)

    def named(self, path: str) -> ForgeProject:
        """Return a project as a remote's address would name it."""
        owner, _, name = path.rpartition("/")
        return ForgeProject(host=self.host, owner=owner, name=name)

    def host_repository(self, folder: Path, source: Path) -> str:
        """Serve a bare clone of a repository as the project; returns its address for git."""
        self.hosting = Hosting(folder, self.projects[self.path], source)
        return f"http://{self.host}/{self.path}.git"

    def merge_by_hand(self, pull: Pull, method: str = "merge") -> str:
        """Merge a pull request, also in the project's repository where it is served."""
        with self.lock:
            made = super().merge_by_hand(pull, method)
            if self.hosting is not None:
                made = self.hosting.merge(pull, method)
                pull.merge_commit = pull.project.branches[pull.base] = made
            return made

    def answer_git(self, hosting: Hosting, asked: Asked) -> Answered:
        """Answer git; what it pushed are branches of the project then."""
        with self.lock:
            hosting.prune()
            answered = hosting.serve(asked)
            for branch, commit in hosting.branches().items():
                if hosting.project.branches.get(branch) != commit:
                    self.push_as(self.path, branch, commit, self.me.login)
            return answered

    def answer(self, asked: Asked) -> Answered:
        """Answer a request without a mood."""
        with self.lock:
            self.requests.append(f"{asked.method} {asked.target}")
            if self.next_answers:
                return self.next_answers.pop(0)
            if self.installs and (found := _INSTALLATION.fullmatch(asked.path)):
                return self.installs(asked, found[1])
            if not asked.path.startswith("/blobs/"):
                self.seen_tokens.append(asked.headers.get("authorization", ""))
                if asked.headers.get("authorization") != f"Bearer {TOKEN}":
                    return Answered(401, {"message": "Bad credentials"})
            elif "authorization" in asked.headers:
                self.wrong.append("the token was sent to the host of logs")
            if not self.has_scope and asked.method != "GET":
                return Answered(403, {"message": "Resource not accessible by this token"})
            try:
                answered = self.router.answer(asked)
                self.understood.append((answered.route, asked, answered))
                return self._tagged(asked, answered)
            except RefusedError as refused:
                return self.skin.answer_to(refused)
            except LookupError as error:
                self.wrong.append(str(error))
                return Answered(404, {"message": "Not Found"})

    def _tagged(self, asked: Asked, answered: Answered) -> Answered:
        """Give what was read its ETag, which Gitea has none of."""
        is_read = asked.method == "GET" and answered.status < _CHANGED_OR_NEW
        if not is_read or self.kind is ForgeKind.GITEA:
            return answered
        digest = hashlib.sha256(answered.encoded()).hexdigest()[:32]
        answered.headers["ETag"] = tag = f'W/"{digest}"'
        if asked.headers.get("if-none-match") != tag:
            return answered
        self.not_modified += 1
        return Answered(304, None, answered.headers, answered.route)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = (
        True  # else each answer waits 40 ms for its headers to be acknowledged
    )
    double: Double

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.command, self.path, headers, raw)
        hosting, moods = self.double.hosting, self.double.moods
        if hosting is not None and hosting.is_for(asked):
            return self._send(self.double.answer_git(hosting, asked))
        mood = moods.next() if moods else Mood.FINE
        if mood is Mood.SLOW and moods:
            time.sleep(moods.slow_seconds)
        if mood is Mood.DROPPED:
            return self._drop()
        if mood is Mood.FAILS:
            return self._send(Answered(500, {"message": "Server Error"}))
        if mood is Mood.LIMITED and moods:
            reset = str(int(time.time()) + moods.reset_seconds)
            headers = {"Retry-After": str(moods.reset_seconds), "X-RateLimit-Reset": reset}
            return self._send(Answered(429, {"message": "rate limit exceeded"}, headers))
        answered = self.double.answer(asked)
        self.double.before_answer(answered.route, asked)
        if mood is Mood.DROPPED_AFTER:
            return self._drop()
        if mood is Mood.ANSWER_LOST:
            answered = Answered(502, {"message": "Bad Gateway"})
        return self._send(answered)

    def _drop(self) -> None:
        self.close_connection = True
        self.connection.shutdown(SHUT_RDWR)

    def _send(self, answered: Answered) -> None:
        content = answered.encoded()
        self.double.statuses[answered.status] += 1
        self.send_response(answered.status)
        for name, value in answered.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if answered.status != 304:
            self.wfile.write(content)

    def handle(self) -> None:
        """Serve a connection; who asked may be killed before it is answered."""
        with suppress(ConnectionError):
            super().handle()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _serve  # noqa: N815

    def log_message(self, *_: object) -> None: ...


@contextmanager
def forge_double(kind: ForgeKind, moods: Moods | None = None) -> Iterator[Double]:
    """Serve a forge on a free port of loopback; its token is `TOKEN`, its account `treadle-bot`."""
    served = type("Served", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), served)
    server.daemon_threads = True
    double = served.double = Double(kind, moods, server.server_port)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
