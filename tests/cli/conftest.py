"""A small real HTTP server in the API's place: it answers what a test says and notes what it got."""

import json
import threading
from collections.abc import Callable, Iterator
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import typer

from settings import Settings


class Api(ThreadingHTTPServer):
    """Answers by method and path; streams are lists of chunks, one list for each connection."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers: dict[str, tuple[int, Any]] = {"GET /v1/health": (200, {})}
        self.then: dict[str, Callable[[], None]] = {}
        self.streams: list[list[str]] = []
        self.got: list[tuple[str, dict[str, str], Any]] = []
        self.streamed = threading.Semaphore(0)


class Handler(BaseHTTPRequestHandler):
    server: Api

    def do_GET(self) -> None:
        self._note(None)
        if self.path.endswith("/events/stream"):
            self._stream()
            return
        self._answer()

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self._note(json.loads(self.rfile.read(length)))
        self._answer()

    do_DELETE = do_POST  # noqa: N815  (the base's names)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base's name)
        """Say nothing."""

    def _note(self, body: Any) -> None:
        self.server.got.append((f"{self.command} {self.path}", dict(self.headers), body))

    def _answer(self) -> None:
        problem = {"title": "Not found", "detail": f"nothing at {self.path}", "status": 404}
        key = f"{self.command} {self.path.partition('?')[0]}"
        status, body = self.server.answers.get(key, (404, problem))
        self.server.then.get(key, lambda: None)()
        raw = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for chunk in self.server.streams.pop(0) if self.server.streams else []:
            self.wfile.write(chunk.encode())
        self.server.streamed.release()


@pytest.fixture(scope="session", autouse=True)
def commands_built_once() -> Iterator[None]:
    """Typer's runner builds all commands for each invocation: a twentieth of a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("typer.testing._get_command", cache(typer.main.get_command))
        yield


@pytest.fixture
def api() -> Iterator[Api]:
    server = Api()
    serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    serving.start()
    yield server
    server.shutdown()
    serving.join()
    server.server_close()


@pytest.fixture
def settings(api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    (tmp_path / "token").write_text("secret\n")
    monkeypatch.setenv("TREADLE_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("TREADLE_API_PORT", str(api.server_port))
    return Settings()
