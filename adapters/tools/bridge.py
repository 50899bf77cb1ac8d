"""The stdio bridge: an MCP server on standard input and output for agents that speak no HTTP.

Each message goes to Treadle's tool server, and what that answers comes back as it is: answers, and
what it tells while a call goes on. Started by the agent, as `treadle tool-bridge URL`; the session's
token comes by the environment, as argument vectors can be read by everybody on the host.
"""

import json
import os
import sys
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any
from urllib.parse import urlsplit

from adapters.tolerant import as_dict

TOKEN_VARIABLE = "TREADLE_TOOL_TOKEN"  # noqa: S105  (the name of it)
LIMIT_SECONDS = 60
OK = 200
INTERNAL_ERROR = -32603


class Bridge:
    """One session's line to the tool server; calls go on beside each other."""

    def __init__(self, url: str, token: str) -> None:
        self._url = urlsplit(url)
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        self._writing = threading.Lock()

    def run(self) -> None:
        """Carry messages until the agent closes its end; then wait for the open calls."""
        for line in sys.stdin.buffer:
            try:
                message = as_dict(json.loads(line))
            except ValueError:
                continue
            if message:
                carrying = threading.Thread(target=self._carry, args=(message, line))
                carrying.start()
                if message.get("method") == "initialize":
                    carrying.join()  # its answer tells the version that all later requests name

    def _carry(self, message: dict[str, Any], line: bytes) -> None:
        connection = HTTPConnection(self._url.hostname or "", self._url.port, timeout=LIMIT_SECONDS)
        number = message.get("id")
        try:
            connection.request("POST", self._url.path, line, self._headers)
            response = connection.getresponse()
            if response.status > OK and number is not None:
                text = response.read(1000).decode(errors="replace")
                self._fail(number, f"the tool server answered {response.status}: {text}")
                return
            for answer in _messages(response):
                self._learn(answer)
                self._write(answer)
        except (OSError, HTTPException) as error:
            if number is not None:
                self._fail(number, f"the tool server can't be reached: {error}")
        finally:
            connection.close()

    def _learn(self, answer: bytes) -> None:
        if "MCP-Protocol-Version" not in self._headers:
            result: Any = json.loads(answer).get("result")
            if isinstance(result, dict) and "protocolVersion" in result:
                self._headers["MCP-Protocol-Version"] = str(result["protocolVersion"])  # pyright: ignore[reportUnknownArgumentType]  (JSON)

    def _fail(self, number: Any, why: str) -> None:
        error = {"code": INTERNAL_ERROR, "message": why}
        self._write(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode())

    def _write(self, message: bytes) -> None:
        with self._writing:
            sys.stdout.buffer.write(message + b"\n")
            sys.stdout.buffer.flush()


def main(arguments: list[str]) -> None:
    """Serve the agent that started this."""
    if len(arguments) != 1 or not os.environ.get(TOKEN_VARIABLE):
        sys.exit(f"usage: {TOKEN_VARIABLE}=… treadle tool-bridge URL")
    Bridge(arguments[0], os.environ[TOKEN_VARIABLE]).run()


def _messages(response: HTTPResponse) -> Iterator[bytes]:
    """Yield the messages of an answer as they come: one JSON text, or server-sent events."""
    if not response.getheader("Content-Type", "").startswith("text/event-stream"):
        if body := response.read().replace(b"\n", b" ").strip():
            yield body
        return
    for line in response:
        if line.startswith(b"data:") and (message := line[5:].strip()):
            yield message
