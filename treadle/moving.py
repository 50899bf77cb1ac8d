"""What `treadle worker drain --move` does first: the host drains, and what can goes on at other hosts."""

import asyncio
from collections.abc import Callable

from adapters.journal import Pool, SqlJournal, open_journal
from domain.core.errors import ConflictError, JournalError
from domain.hosts.errors import UnknownHostError
from domain.hosts.host import HostState
from domain.hosts.placement import ALIVE_SECONDS
from settings import Settings

LOOK_SECONDS = 1.0
_POOL = Pool(1, 1)


def move(settings: Settings, host: str, tell: Callable[[str], None]) -> None:
    """Drain a host until its worker starts again, and wait until it has drained, for at most the time to drain.

    It raises nothing: where it fails, is refused or takes too long, that is told, and the worker can end as it would without.
    """
    try:
        asyncio.run(asyncio.wait_for(_move(settings, host, tell), settings.drain_seconds))
    except TimeoutError:
        tell(f"not all has moved after {settings.drain_seconds} s; the next start goes on with it")
    except (JournalError, ConflictError, UnknownHostError) as error:
        tell(f"nothing is moved: {error}")


async def _move(settings: Settings, host: str, tell: Callable[[str], None]) -> None:
    if settings.hub_url is None:
        tell("nothing is moved: there is no hub, see the setting TREADLE_HUB_URL")
        return
    async with open_journal(settings.journal, _POOL) as journal:
        if reason := await _reason_to_stay(journal, host):
            tell(f"nothing is moved: {reason}")
            return
        tell("no turn begins on this host, and what can goes on at others")
        await _drained(journal, host)


async def _reason_to_stay(journal: SqlJournal, host: str) -> str:
    """Have the host drain, unless nobody could take its work, or a person has decided otherwise; returns why not."""
    hosts = await journal.hosts.every()
    own = await journal.hosts.named(host)
    if own.state is HostState.DRAINING:
        return ""
    if own.state is not HostState.UP:
        return f"this host is {own.state}"
    others = [each for each in hosts if each.host != host and each.state is HostState.UP]
    if all(each.is_silent(ALIVE_SECONDS) for each in others):
        return "no other host is up and answers"
    await journal.hosts.decide(host, HostState.DRAINING, is_until_start=True)
    return ""


async def _drained(journal: SqlJournal, host: str) -> None:
    while True:
        drain = (await journal.moves.drains(has_hub=True)).get(host)
        if drain is None or drain.is_drained:
            return
        await asyncio.sleep(LOOK_SECONDS)
