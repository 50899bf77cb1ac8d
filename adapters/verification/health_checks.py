"""Health checks: a server on this host's loopback is asked until it answers with 2xx."""

import asyncio
from collections.abc import Collection

import httpx

from adapters.verification.health_url import UrlRefusedError, check_url
from domain.ports import Beat

_BODY_LIMIT_BYTES = 65_536
_REQUEST_SECONDS = 3.0
_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 1.0


class HealthCheckError(Exception):
    """The server did not answer with 2xx in time, or the URL is not one that may be asked."""


async def wait_until_healthy(
    url: str, ports: Collection[int], limit_seconds: float, beat: Beat
) -> str:
    """Ask a URL until it answers 2xx, at most so long; returns the answer's first 64 KiB.

    Only loopback and `ports`, no redirects, no proxies, no cookies kept, nothing unpacked: a plan
    must not make a worker fetch anything else.

    Raises:
        HealthCheckError: It never did; the message has the last answer.
    """
    try:
        check_url(url, ports)
    except UrlRefusedError as error:
        raise HealthCheckError(str(error)) from error
    last = "no answer"
    pause = _FIRST_PAUSE
    try:
        async with (
            asyncio.timeout(limit_seconds),
            httpx.AsyncClient(
                trust_env=False, follow_redirects=False, timeout=_REQUEST_SECONDS
            ) as client,
        ):
            while True:
                is_healthy, last = await _ask(client, url)
                if is_healthy:
                    return last
                beat()
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
    except TimeoutError as error:
        raise HealthCheckError(
            f"GET {url}: not healthy within {limit_seconds:g} s; last: {last}"
        ) from error


async def _ask(client: httpx.AsyncClient, url: str) -> tuple[bool, str]:
    try:
        async with asyncio.timeout(_REQUEST_SECONDS), client.stream("GET", url) as answer:
            body = bytearray()
            async for chunk in answer.aiter_raw():
                body += chunk
                if len(body) >= _BODY_LIMIT_BYTES:
                    break
    except TimeoutError:
        return False, f"no whole answer within {_REQUEST_SECONDS:g} s"
    except httpx.HTTPError as error:
        return False, f"{type(error).__name__}: {error}"
    text = bytes(body[:_BODY_LIMIT_BYTES]).decode("utf-8", "replace")
    return answer.is_success, f"HTTP {answer.status_code}\n{text}"
