"""Health checks: a server on this host's loopback is asked until it answers with 2xx."""

import asyncio
from collections.abc import Awaitable, Callable, Collection

import httpx

from domain.core.ports import Beat
from domain.verification.health_url import UrlRefusedError, addresses_of, check_url

_BODY_LIMIT_BYTES = 65_536
_REQUEST_SECONDS = 3.0
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 1.0


Stranger = Callable[[int], Awaitable[str]]
"""Tells who listens on a port and is not of the task; empty where nobody else does."""


class HealthCheckError(Exception):
    """The server did not answer with 2xx in time, or is not one that may be asked or believed."""


class HealthCheck:
    """One URL that is asked until it answers.

    Only loopback by its addresses and `ports`, no redirects, proxies or cookies, nothing unpacked: a
    plan must not make a worker fetch anything else. A server that somebody else runs on the task's
    port is not asked, and says nothing of the task's work.
    """

    def __init__(self, url: str, ports: Collection[int], stranger: Stranger) -> None:
        self._url = url
        self._ports = ports
        self._stranger = stranger

    async def wait(self, limit_seconds: float, beat: Beat) -> str:
        """Ask until it answers 2xx, at most so long; returns the answer's first 64 KiB.

        Raises:
            HealthCheckError: It never did, the message has the last answer; or a stranger did.
        """
        try:
            port = check_url(self._url, self._ports)
        except UrlRefusedError as error:
            raise HealthCheckError(str(error)) from error
        last = "no answer"
        pause = _FIRST_PAUSE
        try:
            # a client would look at cookies and at where a redirect leads
            async with (
                asyncio.timeout(limit_seconds),
                httpx.AsyncHTTPTransport(trust_env=False) as transport,
            ):
                while True:
                    await self._refuse_stranger(port)
                    is_healthy, last = await _ask(transport, self._url)
                    await self._refuse_stranger(port)
                    if is_healthy:
                        return last
                    beat()
                    await asyncio.sleep(pause)
                    pause = min(pause * 2, _LONGEST_PAUSE)
        except TimeoutError as error:
            raise HealthCheckError(
                f"GET {self._url}: not healthy within {limit_seconds:g} s; last: {last}"
            ) from error

    async def _refuse_stranger(self, port: int) -> None:
        if stranger := await self._stranger(port):
            raise HealthCheckError(
                f"GET {self._url}: port {port} is served by {stranger}, which was not started for "
                "this task. Start the task's own server with terminal_create; where the port is "
                "taken, request_port gives another number"
            )


async def _ask(transport: httpx.AsyncHTTPTransport, url: str) -> tuple[bool, str]:
    """Ask once, at the first address of loopback where somebody listens."""
    last = ""
    for asked in addresses_of(url):
        try:
            async with asyncio.timeout(_REQUEST_SECONDS):
                return await _answer(transport, asked, httpx.URL(url).netloc.decode())
        except TimeoutError:
            return False, f"no whole answer within {_REQUEST_SECONDS:g} s"
        except httpx.ConnectError as error:
            last = f"{type(error).__name__}: {error}"
        except httpx.HTTPError as error:
            return False, f"{type(error).__name__}: {error}"
    return False, last


async def _answer(transport: httpx.AsyncHTTPTransport, url: str, host: str) -> tuple[bool, str]:
    request = httpx.Request("GET", url, headers={"Host": host, "Accept": "*/*"})
    answer = await transport.handle_async_request(request)
    body = bytearray()
    try:
        async for chunk in answer.aiter_raw():
            body += chunk
            if len(body) >= _BODY_LIMIT_BYTES:
                break
    finally:
        await answer.aclose()
    text = bytes(body[:_BODY_LIMIT_BYTES]).decode("utf-8", "replace")
    return answer.is_success, f"HTTP {answer.status_code}\n{text}"
