"""Linear and Jira on loopback, with their issues in memory."""

import base64
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any

from adapters.trackers.documents import document_of
from domain.forges.issues import TrackerKind
from tests.forge.routing import Answered, Asked

TOKEN = "ann@example.org:" + "0" * 24
"""The token of the account `treadle-bot`; Linear takes it as OAuth's."""

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


@dataclass
class Person:
    login: str


@dataclass
class Said:
    id: str
    author: Person
    body: Any
    at: datetime
    changed: datetime
    marks: list[dict[str, str]] = field(default_factory=list[dict[str, str]])


@dataclass
class Made:
    id: str
    number: int
    title: str
    body: str
    author: str
    labels: set[str]
    changed: datetime
    is_open: bool = True
    comments: list[Said] = field(default_factory=list[Said])
    labelled: list[tuple[str, str, datetime]] = field(default_factory=list)


class TrackerDouble:
    """What other people do, and how requests are answered; `path` is the project."""

    kind: TrackerKind
    path = "ENG"
    root = ""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}{self.root}"
        self.issues: dict[str, Made] = {}
        self.next_answers: list[Answered] = []
        self.wrong: list[str] = []
        self.lock = Lock()
        self._ticks = 0

    def now(self) -> datetime:
        self._ticks += 1
        return NOON + timedelta(seconds=self._ticks)

    def open_issue(
        self, path: str, title: str, body: str = "", *, login: str = "treadle-bot", labels: str = ""
    ) -> Made:
        assert path == self.path
        number = len(self.issues) + 1
        names = set(labels.split(",")) - {""}
        made = Made(str(1000 + number), number, title, body, login, names, self.now())
        made.labelled = [(login, name, made.changed) for name in names]
        self.issues[made.id] = made
        return made

    def label(self, made: Made, *names: str, login: str = "ann") -> None:
        made.changed = self.now()
        made.labelled += [(login, name, made.changed) for name in names if name not in made.labels]
        made.labels = set(names)

    def comment_as(self, login: str, made: Made, body: Any, comment_id: str = "") -> Said:
        at = self.now()
        number = 5000 + sum(len(each.comments) for each in self.issues.values())
        said = Said(comment_id or str(number), Person(login), body, at, at)
        made.comments.append(said)
        return said

    def close_by_hand(self, made: Made) -> None:
        made.is_open = False
        made.changed = self.now()

    def key_of(self, made: Made) -> str:
        return f"{self.path}-{made.number}"

    def answer(self, asked: Asked) -> Answered:
        """Answer a request."""
        with self.lock:
            if self.next_answers:
                return self.next_answers.pop(0)
            if not self.is_signed_in(asked.headers.get("authorization", "")):
                return Answered(401, {"message": "who are you"})
            return self.carried_out(asked)

    def is_signed_in(self, header: str) -> bool:
        raise NotImplementedError

    def carried_out(self, asked: Asked) -> Answered:
        raise NotImplementedError


class LinearDouble(TrackerDouble):
    """Answers the operations that we ask, by their names."""

    kind = TrackerKind.LINEAR

    def is_signed_in(self, header: str) -> bool:
        return header == f"Bearer {TOKEN}"

    def carried_out(self, asked: Asked) -> Answered:
        found = re.match(r"\s*(?:query|mutation) Treadle(\w+)", asked.body["query"])
        assert found is not None
        data = getattr(self, f"_{found[1].lower()}")(asked.body["variables"])
        if data is None:
            errors = [{"message": "Entity not found", "extensions": {"code": "INPUT_ERROR"}}]
            return Answered(200, {"data": None, "errors": errors})
        return Answered(200, {"data": data})

    def _issues(self, asked: dict[str, Any]) -> Any:
        wanted = asked["filter"]
        if wanted["team"]["key"]["eq"] != self.path:
            return None
        names = [each["labels"]["some"]["name"]["eqIgnoreCase"] for each in wanted.get("and", ())]
        since = wanted.get("updatedAt", {}).get("gte", "")
        found = [
            self._shown(each)
            for each in sorted(self.issues.values(), key=lambda each: each.changed)
            if {name.casefold() for name in names} <= {name.casefold() for name in each.labels}
            and (not since or each.changed >= datetime.fromisoformat(since))
        ]
        start = int(asked["after"] or 0)
        page = {"hasNextPage": start + 2 < len(found), "endCursor": str(start + 2)}
        return {"issues": {"nodes": found[start : start + 2], "pageInfo": page}}

    def _issue(self, asked: dict[str, Any]) -> Any:
        made = self.issues.get(asked["id"])
        states = [{"id": "done", "type": "completed", "position": 2}]
        return made and {"issue": {**self._shown(made), "team": {"states": {"nodes": states}}}}

    def _history(self, asked: dict[str, Any]) -> Any:
        nodes = [
            {"createdAt": at.isoformat(), "actor": self._user(who), "addedLabels": [{"name": name}]}
            for who, name, at in reversed(self.issues[asked["id"]].labelled)
        ]
        return {"issue": {"history": {"nodes": nodes, "pageInfo": _LAST}}}

    def _comments(self, asked: dict[str, Any]) -> Any:
        nodes = [
            {
                "id": each.id,
                "body": each.body,
                "url": "",
                "createdAt": each.at.isoformat(),
                "editedAt": each.changed.isoformat() if each.changed != each.at else None,
                "user": self._user(each.author.login),
            }
            for each in reversed(self.issues[asked["id"]].comments)
        ]
        return {"issue": {"comments": {"nodes": nodes, "pageInfo": _LAST}}}

    def _comment(self, asked: dict[str, Any]) -> Any:
        every = [said for each in self.issues.values() for said in each.comments]
        found = [{"id": s.id, "body": s.body} for s in every if s.id == asked["id"]]
        return {"comments": {"nodes": found}}

    def _addcomment(self, asked: dict[str, Any]) -> Any:
        given = asked["input"]
        self.comment_as("treadle-bot", self.issues[given["issueId"]], given["body"], given["id"])
        return {"commentCreate": {"success": True}}

    def _editcomment(self, asked: dict[str, Any]) -> Any:
        every = [said for each in self.issues.values() for said in each.comments]
        [said] = [each for each in every if each.id == asked["id"]]
        said.body, said.changed = asked["input"]["body"], self.now()
        return {"commentUpdate": {"success": True}}

    def _close(self, asked: dict[str, Any]) -> Any:
        assert asked["input"] == {"stateId": "done"}
        self.close_by_hand(self.issues[asked["id"]])
        return {"issueUpdate": {"success": True}}

    def _shown(self, made: Made) -> dict[str, Any]:
        return {
            "id": made.id,
            "identifier": self.key_of(made),
            "url": f"https://linear.app/acme/issue/{self.key_of(made)}",
            "title": made.title,
            "description": made.body or None,
            "createdAt": NOON.isoformat(),
            "updatedAt": made.changed.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "trashed": None,
            "state": {"type": "started" if made.is_open else "completed"},
            "creator": self._user(made.author),
            "assignee": None,
            "labels": {"nodes": [{"name": name} for name in sorted(made.labels)]},
        }

    def _user(self, login: str) -> dict[str, Any]:
        is_guest = login == "mallory"
        return {
            "id": f"user-{login}",
            "displayName": login,
            "active": True,
            "guest": is_guest,
            "app": False,
        }


_LAST = {"hasNextPage": False, "endCursor": None}


class JiraDouble(TrackerDouble):
    """Answers the requests that we make, and remembers the others."""

    kind = TrackerKind.JIRA
    root = "/rest/api/3"

    def is_signed_in(self, header: str) -> bool:
        return header == f"Basic {base64.b64encode(TOKEN.encode()).decode()}"

    def carried_out(self, asked: Asked) -> Answered:
        path = asked.path.removeprefix(self.root)
        routes: dict[str, Callable[..., Answered]] = {
            r"POST /search/jql": self._search,
            r"GET /user/assignable/search": self._assignable,
            r"GET /myself": lambda _: Answered(200, _account("treadle-bot")),
            r"GET /issue/(\d+)": lambda _, name: Answered(200, self._shown(self.issues[name])),
            r"GET /issue/(\d+)/changelog": self._changelog,
            r"GET /issue/(\d+)/comment": self._comments,
            r"POST /issue/(\d+)/comment": self._add,
            r"PUT /issue/(\d+)/comment/(\d+)": self._edit,
            r"GET /issue/(\d+)/transitions": lambda *_: Answered(200, {"transitions": _MOVES}),
            r"POST /issue/(\d+)/transitions": self._move,
        }
        for line, handler in routes.items():
            if found := re.fullmatch(line, f"{asked.method} {path}"):
                return handler(asked, *found.groups())
        self.wrong.append(f"{asked.method} {path}")
        return Answered(404, {})

    def _search(self, asked: Asked) -> Answered:
        jql = asked.body["jql"]
        assert jql.endswith(" ORDER BY updated ASC")
        if f'project = "{self.path}"' not in jql:
            return Answered(404, {"errorMessages": ["no such project"]})
        names = set(re.findall(r'labels = "([^"]*)"', jql))
        found = sorted(self.issues.values(), key=lambda each: each.changed)
        shown = [self._shown(each) for each in found if names <= each.labels]
        start = int(asked.body.get("nextPageToken", 0))
        more = {"nextPageToken": str(start + 2)} if start + 2 < len(shown) else {}
        return Answered(200, {"issues": shown[start : start + 2], **more})

    def _assignable(self, asked: Asked) -> Answered:
        account = asked.query["accountId"]
        people = [] if account == "user-mallory" else [{"accountId": account}]
        return Answered(200, people)

    def _changelog(self, _: Asked, name: str) -> Answered:
        values = [
            {
                "author": _account(who),
                "items": [{"field": "labels", "fromString": "bug", "toString": f"bug {label}"}],
            }
            for who, label, _at in self.issues[name].labelled
        ]
        return Answered(200, {"values": values, "total": len(values)})

    def _comments(self, _: Asked, name: str) -> Answered:
        said = [
            {
                "id": each.id,
                "author": _account(each.author.login),
                "body": document_of(each.body) if isinstance(each.body, str) else each.body,
                "created": _time(each.at),
                "updated": _time(each.changed),
                "properties": each.marks,
            }
            for each in self.issues[name].comments
        ]
        return Answered(200, {"comments": said, "total": len(said)})

    def _add(self, asked: Asked, name: str) -> Answered:
        said = self.comment_as("treadle-bot", self.issues[name], asked.body["body"])
        said.marks = asked.body["properties"]
        return Answered(201, {"id": said.id})

    def _edit(self, asked: Asked, name: str, comment: str) -> Answered:
        [said] = [each for each in self.issues[name].comments if each.id == comment]
        said.body, said.changed = asked.body["body"], self.now()
        return Answered(200, {"id": said.id})

    def _move(self, asked: Asked, name: str) -> Answered:
        assert asked.body == {"transition": {"id": "31"}}
        self.close_by_hand(self.issues[name])
        return Answered(204)

    def _shown(self, made: Made) -> dict[str, Any]:
        category = "indeterminate" if made.is_open else "done"
        fields = {
            "summary": made.title,
            "description": document_of(made.body) if made.body else None,
            "creator": _account(made.author),
            "labels": sorted(made.labels),
            "assignee": None,
            "status": {"statusCategory": {"key": category}},
            "created": _time(NOON),
            "updated": _time(made.changed),
        }
        return {"id": made.id, "key": self.key_of(made), "fields": fields}


_MOVES = [
    {"id": "11", "to": {"statusCategory": {"key": "new"}}},
    {"id": "31", "to": {"statusCategory": {"key": "done"}}},
]


def _account(login: str) -> dict[str, str]:
    return {"accountId": f"user-{login}", "displayName": login, "accountType": "atlassian"}


def _time(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds").replace("+00:00", "+0000")


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    double: TrackerDouble

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        answered = self.double.answer(Asked(self.command, self.path, headers, raw))
        content = b"" if answered.content is None else json.dumps(answered.content).encode()
        self.send_response(answered.status)
        for name, value in {**answered.headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = _serve  # noqa: N815

    def log_message(self, *_: object) -> None: ...


@contextmanager
def tracker_double(made: type[TrackerDouble]) -> Iterator[TrackerDouble]:
    """Serve a tracker on a free port of loopback."""
    served = type("Served", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), served)
    server.daemon_threads = True
    double = served.double = made(server.server_port)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
