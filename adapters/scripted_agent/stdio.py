"""JSON-RPC 2.0 on standard input and output, one message a line."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from typing import Any


class Stdio:
    """The line to the client; writing is safe from any OS thread."""

    def __init__(self) -> None:
        self.is_reading = True
        self._lock = threading.Lock()
        self._last_id = 0
        self._waiting: dict[int, tuple[threading.Event, dict[str, Any]]] = {}

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield requests and notifications until the client closes; answers go to who asked."""
        for line in sys.stdin.buffer:
            if not self.is_reading:
                threading.Event().wait()
            message = json.loads(line)
            if "method" in message:
                yield message
            elif entry := self._waiting.pop(message.get("id"), None):
                entry[1].update(message)
                entry[0].set()

    def answer(self, request_id: Any, result: dict[str, Any]) -> None:
        """Answer a request."""
        self._send({"id": request_id, "result": result})

    def refuse(self, request_id: Any, message: str, code: int = -32603, data: Any = None) -> None:
        """Answer a request with an error."""
        more = {} if data is None else {"data": data}
        self._send({"id": request_id, "error": {"code": code, "message": message, **more}})

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Tell the client something."""
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask the client and wait for its answer; an error is an empty answer."""
        return self.request(method, params).get("result") or {}

    def request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Ask the client and return the whole of its answer, which may be an error."""
        with self._lock:
            self._last_id += 1
            number = self._last_id
        answered = threading.Event()
        message: dict[str, Any] = {}
        self._waiting[number] = (answered, message)
        self._send({"id": number, "method": method, "params": params})
        answered.wait()
        return message

    def write(self, raw: bytes) -> None:
        """Write bytes as they are."""
        with self._lock:
            while raw:
                raw = raw[os.write(1, raw) :]

    def _send(self, message: dict[str, Any]) -> None:
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
