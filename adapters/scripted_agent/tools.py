"""A small MCP client: the server that came in session/new, over HTTP or as a program on pipes."""

import json
import threading
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from adapters.tolerant import as_dict, as_list, as_text

VERSION = "2025-06-18"
LIMIT_SECONDS = 60


class ToolError(Exception):
    """The tool server could not be reached or refused the request."""


class ServerGoneError(ToolError):
    """The tool server does not answer: the worker that serves it is dead or dying."""


class ToolClient:
    """Calls the tools of one MCP server; connecting goes on beside the session's start."""

    def __init__(self, server: Mapping[str, Any]) -> None:
        self._url = urlsplit(str(server.get("url", "")))
        self._headers = {h["name"]: h["value"] for h in as_list(server.get("headers"))}
        self._program = _Program(server) if "command" in server else None
        self._last_id = 0
        self._lock = threading.Lock()
        self._connecting = threading.Thread(target=self._connect, daemon=True)
        self._connecting.start()

    def call(self, name: str, arguments: dict[str, Any]) -> tuple[str, bool]:
        """Call a tool; returns its text and whether it was an error.

        Raises:
            ToolError: The server did not answer.
        """
        self._connecting.join()
        result = self._request("tools/call", {"name": name, "arguments": arguments})
        parts = [as_text(part.get("text")) for part in as_list(result.get("content"))]
        return "\n".join(parts), bool(result.get("isError"))

    def _connect(self) -> None:
        client = {"name": "treadle-scripted-agent", "version": "1"}
        hello = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client}
        try:
            self._request("initialize", hello)
            self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
            self._request("tools/list", {})
        except ToolError:
            return  # the call that needs a tool says so

    def _request(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        with self._lock:
            self._last_id += 1
            number = self._last_id
        asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        for message in self._send(asked):
            if message.get("id") == number:
                if "error" in message:
                    raise ToolError(str(message["error"].get("message", message["error"])))
                return as_dict(message.get("result"))
        raise ToolError(f"no answer to {method}")

    def _send(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        if self._program is not None:
            return self._program.send(message)
        return _messages(self._post(message))

    def _post(self, message: dict[str, Any]) -> str:
        from http.client import HTTPConnection, HTTPException

        headers = {
            **self._headers,
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": VERSION,
        }
        connection = HTTPConnection(
            self._url.hostname or "127.0.0.1", self._url.port, timeout=LIMIT_SECONDS
        )
        try:
            connection.request("POST", self._url.path, json.dumps(message), headers)
            response = connection.getresponse()
            body = response.read().decode()
        except (OSError, HTTPException) as error:
            raise ServerGoneError(f"the tool server can't be reached: {error}") from error
        finally:
            connection.close()
        if response.status >= 400:  # noqa: PLR2004  (HTTP's own line between answers and errors)
            raise ToolError(f"the tool server answered {response.status}: {body[:200]}")
        return body


class _Program:
    """An MCP server that is a program of this agent's own, on its standard input and output."""

    def __init__(self, server: Mapping[str, Any]) -> None:
        import os
        import subprocess

        environment = {e["name"]: e["value"] for e in as_list(server.get("env"))}
        self._process = subprocess.Popen(  # noqa: S603  (what the client says is our server)
            [str(server["command"]), *map(str, as_list(server.get("args")))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **environment},
        )
        self._lock = threading.Lock()

    def send(self, message: dict[str, Any]) -> list[dict[str, Any]]:
        """Send a message; returns its answer, nothing for a notification."""
        lines, words = self._process.stdout, self._process.stdin
        if lines is None or words is None:
            raise ServerGoneError("the tool server has no pipes")
        with self._lock:
            words.write(json.dumps(message).encode() + b"\n")
            words.flush()
            while "id" in message:
                answer = json.loads(lines.readline() or b"{}")
                if answer.get("id") == message["id"]:
                    return [answer]
                if not answer:
                    raise ServerGoneError("the tool server has left")
        return []


def _messages(body: str) -> list[dict[str, Any]]:
    """Read an answer: one JSON object, or server-sent events with one in each `data:`."""
    if body.lstrip().startswith("{"):
        return [json.loads(body)]
    lines = (line for line in body.splitlines() if line.startswith("data:"))
    return [json.loads(line[5:]) for line in lines if line[5:].strip()]
