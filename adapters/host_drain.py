"""How the worker of a host drains it: turns end at their end, and what is idle goes on at other hosts."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from adapters.host_failover import HostFailover
from adapters.looking import keep_looking
from adapters.temporal.held_turns import HeldTurns

LOOK_SECONDS = 1.0

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class HostDrain:
    """The drain of one worker's host: what is idle leaves it, if it `is_copied` to a hub.

    What ends just before a look is reported at that one, and leaves at the next: its result has arrived by then.
    """

    host: str
    failover: HostFailover
    held: HeldTurns
    is_copied: Callable[[str], bool] | None
    on_begin: Callable[[], None]
    on_end: Callable[[], None]

    async def keep(self, look: float = LOOK_SECONDS) -> None:
        """Look again and again, until it is cancelled; what fails is tried again at the next look."""
        await keep_looking(self.look, look, "this host could not be drained", _LOG)

    async def look(self) -> None:
        """Begin or end to drain, as people have decided, and send on what is idle.

        Raises:
            JournalError: The journal does not answer.
            RPCError: Temporal does not answer.
        """
        moves, is_copied = self.failover.moves, self.is_copied
        drain = (await moves.drains(has_hub=is_copied is not None)).get(self.host)
        if drain is None:
            self._resume()
            return
        if not self.held.is_holding:
            _LOG.warning("this host drains: no turn begins here, and what can goes on elsewhere")
            self.held.hold()
            self.on_begin()
        at_work = self.held.at_work
        if not drain.is_answering or drain.at_work != at_work:
            await moves.report_work(self.host, at_work)
        elif is_copied is not None:
            idle = sorted({*drain.moving}.difference(at_work))
            copied = frozenset(filter(is_copied, idle))
            await self.failover.send(await moves.release(self.host, copied) if copied else [])

    def _resume(self) -> None:
        if self.held.is_holding:
            self.held.resume()
            self.on_end()
