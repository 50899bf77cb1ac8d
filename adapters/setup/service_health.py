"""When a service is healthy: its path answers, or its port listens, while its process is there."""

import asyncio
from contextlib import suppress

from adapters.terminals.live import LiveTerminal
from adapters.verification.health_checks import HealthCheck, HealthCheckError, Stranger
from domain.core.ports import Beat
from domain.recipes.recipe import Service
from domain.tasks.terminals import describe_exit_of

_PAUSE_SECONDS = 0.1
_CONNECT_SECONDS = 3.0
_LOOPBACK = ("127.0.0.1", "::1")


async def why_unhealthy(
    service: Service, live: LiveTerminal, number: int | None, stranger: Stranger, beat: Beat
) -> str:
    """Wait until a service is healthy; returns why it is not, empty where it is.

    It has failed once its process is gone or `timeout` has passed. One without a port is healthy once
    it has started.
    """
    if number is None:
        return ""
    check = asyncio.create_task(_check(service, number, stranger, beat))
    try:
        await asyncio.wait({check, live.ended}, return_when=asyncio.FIRST_COMPLETED)
        if live.ended.done():
            return f"{describe_exit_of(live.terminal)} before it was healthy"
        await check
    except HealthCheckError as error:
        return str(error)
    finally:
        check.cancel()
        await asyncio.gather(check, return_exceptions=True)
    return ""


async def _check(service: Service, number: int, stranger: Stranger, beat: Beat) -> None:
    if service.health is not None:
        url = f"http://localhost:{number}{service.health}"
        await HealthCheck(url, (number,), stranger).wait(service.timeout, beat)
        return
    try:
        async with asyncio.timeout(service.timeout):
            while not await _listens(number):
                beat()
                await asyncio.sleep(_PAUSE_SECONDS)
    except TimeoutError as error:
        words = f"nothing listens on port {number} within {service.timeout} s"
        raise HealthCheckError(words) from error
    if other := await stranger(number):
        raise HealthCheckError(f"port {number} is served by {other}, which is not this service")


async def _listens(number: int) -> bool:
    for address in _LOOPBACK:
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(_CONNECT_SECONDS):
                _, writer = await asyncio.open_connection(address, number)
                writer.close()
                return True
    return False
