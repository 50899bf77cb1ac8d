"""A double of GitHub on loopback: requests and answers are checked against its own description."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.forge import description

TOKEN = "ghp_" + "0" * 36
_PULLS = re.compile(r"/repos/([^/]+)/([^/]+)/pulls")


class Double:
    """What the double has and how it shall misbehave; `wrong` are requests GitHub would not know."""

    def __init__(self) -> None:
        self.url = ""
        self.pulls: list[dict[str, Any]] = []
        self.requests: list[str] = []
        self.wrong: list[str] = []
        self.next_answers: list[tuple[int, dict[str, str], bytes]] = []
        self.is_racing = False

    def answer(self, method: str, target: str, headers: Any, raw: bytes) -> tuple[int, bytes]:
        parts = urlsplit(target)
        self.requests.append(f"{method} {parts.path}")
        if headers.get("Authorization") != f"Bearer {TOKEN}":
            return 401, error("Bad credentials")
        if _PULLS.fullmatch(parts.path) is None:
            self.wrong.append(f"no such path: {parts.path}")
            return 404, error("Not Found")
        known = description.operation(method.lower())
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        schemas = {p["name"]: p["schema"] for p in known["parameters"] if p["in"] == "query"}
        self.wrong += [f"no parameter {name}" for name in query if name not in schemas]
        for name in set(query) & set(schemas):
            self.wrong += description.problems(schemas[name], query[name])
        if method == "GET":
            return self._checked("get", 200, self._listed(query))
        body = json.loads(raw)
        self.wrong += description.problems(
            description.json_of(known["requestBody"])["schema"], body
        )
        return self._made(body)

    def _listed(self, query: dict[str, str]) -> list[dict[str, Any]]:
        return [
            p
            for p in self.pulls
            if p["state"] == query.get("state", "open")
            and p["head"]["label"] == query["head"]
            and p["base"]["ref"] == query["base"]
        ]

    def _made(self, body: dict[str, Any]) -> tuple[int, bytes]:
        if any(p["head"]["ref"] == body["head"] for p in self.pulls) or self.is_racing:
            if self.is_racing:
                self.add(body)
            words = f"A pull request already exists for octo:{body['head']}."
            answer = {
                "message": "Validation Failed",
                "documentation_url": "https://docs.github.com/rest",
                "errors": [{"resource": "PullRequest", "code": "custom", "message": words}],
            }
            return self._checked("post", 422, answer)
        return self._checked("post", 201, self.add(body))

    def add(self, body: dict[str, Any]) -> dict[str, Any]:
        made = description.example("post", "201")
        number = len(self.pulls) + 1
        made |= {"number": number, "title": body["title"], "body": body["body"], "state": "open"}
        made["html_url"] = f"https://github.com/octo/work/pull/{number}"
        made["head"] |= {"ref": body["head"], "label": f"octo:{body['head']}"}
        made["base"] |= {"ref": body["base"]}
        made["requested_teams"] = []  # those of the example do not fit the description
        self.pulls.append(made)
        return made

    def _checked(self, method: str, status: int, answer: Any) -> tuple[int, bytes]:
        schema = description.json_of(description.operation(method)["responses"][str(status)])
        self.wrong += [
            f"of the double: {p}" for p in description.problems(schema["schema"], answer)
        ]
        return status, json.dumps(answer).encode()


def error(message: str) -> bytes:
    return json.dumps({"message": message, "documentation_url": "https://docs.github.com"}).encode()


@contextmanager
def running() -> Iterator[Double]:
    """Serve a double on a free port."""
    double = Double()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if double.next_answers:
                status, headers, answer = double.next_answers.pop(0)
                double.requests.append(f"{self.command} {self.path}")
            else:
                status, answer = double.answer(self.command, self.path, self.headers, raw)
                headers = {}
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(answer))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        def do_GET(self) -> None:
            self._serve()

        def do_POST(self) -> None:
            self._serve()

        def log_message(self, *_: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    double.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield double
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
