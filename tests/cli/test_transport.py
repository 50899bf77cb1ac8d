"""How commands reach the engine: its own socket first, and never another user's process."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from address import Server
from api.server import private_socket
from cli.core.client import Client
from cli.core.errors import RefusedError, UnreachableError
from cli.core.patience import RESTART_SECONDS
from cli.core.transport import listeners
from settings import Settings
from tests.cli.conftest import Api
from tests.free_ports import free_ports

NOBODY = 65534
LISTEN = """
import os, socket, sys
os.setuid(int(sys.argv[1]))
listener = socket.create_server(("127.0.0.1", 0))
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
"""


class SocketApi(Api):
    """The API behind its unix socket."""

    def __init__(self, listener: socket.socket) -> None:
        super().__init__()
        self.socket.close()
        self.socket = listener

    def get_request(self) -> tuple[socket.socket, tuple[str, int]]:
        connection, _ = self.socket.accept()
        return connection, ("socket", 0)


def test_the_socket_of_the_data_folder_comes_before_the_port(api: Api, settings: Settings):
    api.answers["GET /v1/threads"] = (200, {"threads": ["by port"]})
    with private_socket(settings.api_socket) as [listener]:
        behind = SocketApi(listener)
        behind.answers["GET /v1/threads"] = (200, {"threads": ["by socket"]})
        serving = threading.Thread(target=behind.serve_forever, kwargs={"poll_interval": 0.01})
        serving.start()
        try:
            assert Client(settings).get("/v1/threads") == {"threads": ["by socket"]}
        finally:
            behind.shutdown()
            serving.join()
    assert Client(settings).get("/v1/threads") == {"threads": ["by port"]}
    assert len(api.got) == 1


def test_the_kernel_says_who_listens(api: Api):
    assert listeners(api.server_port) == {os.getuid()}


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be another user")
def test_another_users_port_gets_no_token(settings: Settings):
    stranger = subprocess.Popen(
        [sys.executable, "-c", LISTEN, str(NOBODY)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        port = int(stranger.stdout.readline())
        theirs = Client(settings.model_copy(update={"api_port": port}))
        with pytest.raises(UnreachableError, match=f"uid {NOBODY}, so your token was not sent"):
            theirs.get("/v1/threads")
        with pytest.raises(UnreachableError, match="TREADLE_API_PORT"):
            theirs.is_answered()
    finally:
        stranger.communicate()


def break_once(api: Api) -> None:
    """Have the next request broken off, as by a killed API."""

    def give_up() -> None:
        api.then.clear()
        raise ConnectionAbortedError

    api.handle_error = lambda *_: None
    api.then["GET /v1/threads"] = give_up


def test_a_command_waits_while_the_api_starts_anew(
    api: Api, settings: Settings, capsys: pytest.CaptureFixture[str]
):
    (settings.data_dir / "engine.json").write_text(json.dumps({"pid": os.getpid()}))
    api.answers["GET /v1/threads"] = (200, {"threads": []})
    break_once(api)

    assert Client(settings).get("/v1/threads") == {"threads": []}
    assert "is restarting" in capsys.readouterr().err


def test_a_connection_that_broke_was_somebodys(api: Api, settings: Settings):
    api.answers["GET /v1/threads"] = (200, {"threads": []})
    break_once(api)
    assert Client(settings).get("/v1/threads") == {"threads": []}


@pytest.mark.parametrize("state", ["", '{"pid": 4194305}'], ids=["none", "killed"])
def test_nobody_waits_where_no_engine_runs(settings: Settings, state: str):
    (settings.data_dir / "engine.json").write_text(state)
    began = time.monotonic()
    with pytest.raises(UnreachableError, match="treadle up"):
        Client(settings.model_copy(update={"api_port": free_ports(1)[0]})).get("/v1/threads")
    assert time.monotonic() - began < RESTART_SECONDS


def server_of(api: Api) -> Server:
    return Server(f"http://127.0.0.1:{api.server_port}", "a-token")


def test_a_command_to_a_server_waits_while_it_starts_anew_and_keeps_its_id(
    settings: Settings, capsys: pytest.CaptureFixture[str]
):
    (port,) = free_ports(1)
    client = Client(settings, Server(f"http://127.0.0.1:{port}", "a-token"))
    with ThreadPoolExecutor() as pool:
        sent = pool.submit(client.post, "/v1/threads", {"goal": "one"})
        while "restarting or busy" not in capsys.readouterr().err:
            assert not sent.done()
        with ThreadingHTTPServer(("127.0.0.1", port), Proxied) as server:
            serving = threading.Thread(target=server.serve_forever, args=(0.01,))
            serving.start()
            assert sent.result(60) == {"message": "done"}
            server.shutdown()
            serving.join()
    assert len(Proxied.got) == 3
    assert len({json.loads(body)["command_id"] for body in Proxied.got}) == 1


class Proxied(BaseHTTPRequestHandler):
    """A proxy that answers for an API that starts, and the API, once it is too busy and then not."""

    got: ClassVar[list[bytes]] = []

    def do_POST(self) -> None:
        self.got.append(self.rfile.read(int(self.headers["Content-Length"])))
        status = (502, 429, 200)[len(self.got) - 1]
        body = b'{"message": "done"}' if status == HTTPStatus.OK else b"Bad Gateway"
        self.send_response(status)
        if status == HTTPStatus.TOO_MANY_REQUESTS:
            self.send_header("Retry-After", "0")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (the base's name)
        """Say nothing."""


def test_a_limit_that_lasts_is_told_at_once(api: Api, settings: Settings):
    problem = {"type": "treadle:too_many_requests", "title": "Too many", "status": 429}
    api.answers["GET /v1/threads"] = (429, problem)
    with pytest.raises(RefusedError, match="Too many"):
        Client(settings, server_of(api)).get("/v1/threads")
    assert len(api.got) == 1


def test_an_unknown_name_is_told_at_once(settings: Settings):
    began = time.monotonic()
    with pytest.raises(UnreachableError, match="does not answer"):
        Client(settings, Server("https://nowhere.invalid", "t")).get("/v1/threads")
    assert time.monotonic() - began < RESTART_SECONDS


def test_a_token_that_the_engine_wrote_while_it_was_asked_is_sent(api: Api, settings: Settings):
    key = "GET /v1/threads"

    def start() -> None:
        api.answers[key] = (200, {"threads": []})
        settings.token_file.write_text("the-token")

    settings.token_file.unlink(missing_ok=True)
    api.answers[key], api.then[key] = (401, {"title": "token_missing"}), start

    assert Client(settings).get("/v1/threads") == {"threads": []}
    sent = [headers.get("Authorization") for _request, headers, _body in api.got]
    assert sent == [None, "Bearer the-token"]
