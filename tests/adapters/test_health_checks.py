"""Health checks against servers that lead elsewhere, never end, or are somebody else's."""

import asyncio
import socket
import socketserver
import threading
from contextlib import suppress
from unittest.mock import patch

import pytest

from adapters.verification.health_checks import HealthCheck, HealthCheckError

OK = b"HTTP/1.1 200 OK\r\n"
AWAY = b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n"
HOSTILE = {
    "a redirect to another host": (AWAY % b"http://169.254.169.254/", "HTTP 302"),
    "a redirect to another listener": (AWAY % b"http://127.0.0.1:@OTHER@/", "HTTP 302"),
    "a redirect to nothing that is a URL": (AWAY % b"http://[::1/\x80", "HTTP 302"),
    "a refresh": (
        b"HTTP/1.1 503 X\r\nRefresh: 0; url=http://127.0.0.1:@OTHER@/\r\n\r\n",
        "HTTP 503",
    ),
    "an upgrade": (
        b"HTTP/1.1 101 X\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n",
        "ProtocolError",
    ),
    "no HTTP": (b"SSH-2.0-OpenSSH_9\r\n", "ProtocolError"),
    "two lengths": (OK + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nx", "ProtocolError"),
    "less than it says": (OK + b"Content-Length: 9\r\n\r\nx", "ProtocolError"),
    "nothing": (b"", "ProtocolError"),
}
ENDLESS = {
    "headers": (OK, b"X-Y: " + b"z" * 1000 + b"\r\n"),
    "one header": (OK + b"X-Y: ", b"z" * 60_000),
    "answers that are none yet": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "drops": (OK + b"\r\n", b""),
}
COOKIE = OK + b"Set-Cookie: a=b\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nup"


class Server(socketserver.ThreadingTCPServer):
    """Says the same to everybody; remembers what it was asked."""

    def __init__(
        self, said: bytes = COOKIE, forever: bytes | None = None, host: str = "127.0.0.1"
    ) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.said, self.forever = said, forever
        self.asked: list[bytes] = []
        super().__init__((host, 0), None)

    def finish_request(self, request, client_address) -> None:
        request.settimeout(60)
        with suppress(OSError):
            self.asked.append(request.recv(65_536))
            request.sendall(self.said)
            while self.forever is not None:
                request.sendall(self.forever or b".")
                self.ended.wait(0 if self.forever else 0.1)

    def __enter__(self):
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.serve_forever, args=(0.02,))
        self.thread.start()
        return self.server_address[1]

    def __exit__(self, *of: object) -> None:
        self.shutdown()
        self.thread.join()
        self.server_close()


async def check(
    port: int, host: str = "127.0.0.1", stranger: str = "", limit: float = 60, tries: int = 0
) -> str:
    """Ask a server until it is healthy or the limit is over, which it is after so many tries."""
    clocks: list[asyncio.Timeout] = []
    began = asyncio.timeout
    left = tries

    async def who(_port: int) -> str:
        return stranger

    def clock(seconds: float) -> asyncio.Timeout:
        clocks.append(began(seconds))
        return clocks[-1]

    def tried() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            clocks[0].reschedule(asyncio.get_running_loop().time())

    url = f"http://{host}:{port}/health?a=b"
    with patch("adapters.verification.health_checks.asyncio.timeout", clock):
        return await HealthCheck(url, {port}, who).wait(limit, tried)


@pytest.mark.parametrize("name", HOSTILE)
async def test_what_leads_elsewhere_is_an_answer_and_is_not_followed(name):
    said, words = HOSTILE[name]
    other = Server()
    with other as elsewhere:
        server = Server(said.replace(b"@OTHER@", str(elsewhere).encode()))
        with server as port, pytest.raises(HealthCheckError, match=words):
            await check(port, tries=1)

    assert server.asked
    assert not other.asked


@pytest.mark.parametrize("name", ENDLESS)
async def test_what_never_ends_ends_with_the_time_limit(name):
    in_time = "not healthy within 1 s; last: (?!no whole answer)"  # that is a request's own limit
    with Server(*ENDLESS[name]) as port, pytest.raises(HealthCheckError, match=in_time):
        await check(port, limit=1)


async def test_an_endless_body_is_read_up_to_its_bound():
    with Server(OK + b"\r\n", b"x" * 10_000) as port:
        said = await check(port)

    assert len(said) == len("HTTP 200\n") + 65_536


async def test_nothing_is_unpacked_and_no_cookie_is_sent_back():
    server = Server(COOKIE.replace(b"200 OK", b"500 X"))
    with server as port, pytest.raises(HealthCheckError, match="HTTP 500\nup"):
        await check(port, tries=2)

    assert len(server.asked) > 1
    assert not any(b"cookie" in asked.lower() for asked in server.asked)


async def test_a_strangers_server_is_not_even_asked():
    server = Server()
    with server as port, pytest.raises(HealthCheckError, match="served by sshd"):
        await check(port, stranger="sshd (process 7)")

    assert not server.asked


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
async def test_localhost_is_loopback_of_both_families_and_nothing_that_a_resolver_says(address):
    server = Server(host=address)
    with server as port:
        assert await check(port, "localhost") == "HTTP 200\nup"

    assert f"Host: localhost:{port}\r\n".encode() in server.asked[0]
    assert server.asked[0].startswith(b"GET /health?a=b HTTP/1.1\r\n")
