"""An editor that leaves ends the process, whatever that waits for."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

ME = {"person": "ann", "program": "an editor", "scope": "proposer"}


class Silent(BaseHTTPRequestHandler):
    """An engine that says whose a token is, and answers nothing else."""

    is_over = threading.Event()
    is_asked = threading.Event()

    def do_GET(self) -> None:
        if self.path != "/v1/me":
            self.is_asked.set()
            self.is_over.wait(100)
            return
        content = json.dumps(ME).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base's name)
        """Say nothing."""


@pytest.fixture
def engine() -> Iterator[str]:
    Silent.is_asked.clear()
    with ThreadingHTTPServer(("127.0.0.1", 0), Silent) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def message(method: str, parameters: object, number: int | None = None) -> bytes:
    known = {} if number is None else {"id": number}
    told = {"jsonrpc": "2.0", **known, "method": method, "params": parameters}
    return json.dumps(told).encode() + b"\n"


def leave(engine: str, folder: Path, name: str, first: bytes, then: bytes) -> tuple[Any, int]:
    """Send messages, leave while the last one waits, and return the first answer and the code at the end."""
    environment = {
        **os.environ,
        "TREADLE_URL": engine,
        "TREADLE_TOKEN": "t",
        "TREADLE_DATA_DIR": str(folder / "data"),
        "TREADLE_CONFIG_DIR": str(folder / "config"),
    }
    command = [sys.executable, "-m", "treadle", name]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        guard = threading.Timer(150, process.kill)
        guard.start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(first)
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        process.stdin.write(then)
        process.stdin.flush()
        assert not then.strip() or Silent.is_asked.wait(60)
        process.stdin.close()
        try:
            code = process.wait(60)
        finally:
            guard.cancel()
            process.kill()
    return answer, code


def test_an_editor_that_leaves_does_not_wait_for_the_engine(engine: str, tmp_path: Path):
    start = message("initialize", {"protocolVersion": 1}, 1)
    new = message("session/new", {"cwd": str(tmp_path), "mcpServers": []}, 2)
    answer, code = leave(engine, tmp_path, "acp", start, new)
    assert answer["result"]["agentInfo"]["name"] == "treadle"
    assert code == 0


def test_a_line_that_is_nested_too_deep_is_answered(engine: str, tmp_path: Path):
    answer, code = leave(engine, tmp_path, "acp", b"[" * 100_000 + b"\n", b"\n")
    assert answer["error"]["code"] == -32700
    assert code == 0


def test_a_client_of_mcp_that_leaves_does_not_either(engine: str, tmp_path: Path):
    about = {"name": "an editor", "version": "1"}
    given = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": about}
    call = message("tools/call", {"name": "list_threads", "arguments": {}}, 2)
    then = message("notifications/initialized", {}) + call
    answer, code = leave(engine, tmp_path, "mcp", message("initialize", given, 1), then)
    assert answer["result"]["serverInfo"]["name"] == "treadle"
    assert code == 0
