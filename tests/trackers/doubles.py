"""Trackers that are no forges, on loopback, with their issues in memory."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import SHUT_RDWR
from threading import Lock, Thread
from typing import Any

from domain.forges.issues import TrackerKind
from tests.forge.moods import Mood, Moods
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
    assignee: str = ""
    is_open: bool = True
    is_locked: bool = False
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
        self.moods: Moods | None = None
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

    def assign(self, made: Made, login: str) -> None:
        made.assignee, made.changed = login, self.now()

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


_REFUSED = {Mood.FAILS: 500, Mood.LIMITED: 429}


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    double: TrackerDouble

    def _serve(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked, moods = Asked(self.command, self.path, headers, raw), self.double.moods
        mood = moods.next() if moods else Mood.FINE
        if mood is Mood.SLOW and moods:
            time.sleep(moods.slow_seconds)
        if mood in _REFUSED:
            answered = Answered(_REFUSED[mood], {"message": "not now"})
        elif mood is not Mood.DROPPED:
            answered = self.double.answer(asked)
        if mood is Mood.ANSWER_LOST:
            answered = Answered(502, {"message": "Bad Gateway"})
        if mood in {Mood.DROPPED, Mood.DROPPED_AFTER}:
            self.close_connection = True
            self.connection.shutdown(SHUT_RDWR)
            return
        content = b"" if answered.content is None else json.dumps(answered.content).encode()
        self.send_response(answered.status)
        for name, value in {**answered.headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_PUT = _serve  # noqa: N815

    def log_message(self, *_: object) -> None: ...


@contextmanager
def tracker_double(
    made: type[TrackerDouble], moods: Moods | None = None
) -> Iterator[TrackerDouble]:
    """Serve a tracker on a free port of loopback."""
    served = type("Served", (_Handler,), {})
    server = ThreadingHTTPServer(("127.0.0.1", 0), served)
    server.daemon_threads = True
    double = served.double = made(server.server_port)
    double.moods = moods
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
