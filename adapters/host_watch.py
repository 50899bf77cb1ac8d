"""What a worker says of its host, and how it learns that the host was declared lost."""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from adapters.journal.hosts import Hosts
from domain.core.errors import JournalError
from domain.hosts.errors import HostLostError
from domain.hosts.host import HostFacts

LOOK_SECONDS = 2.0
FACTS_SECONDS = 60.0

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class HostWatch:
    """A host that is registered, at the generation that its worker started with."""

    hosts: Hosts
    facts: Callable[[], HostFacts]
    host: str
    generation: int

    @classmethod
    async def of(cls, hosts: Hosts, facts: Callable[[], HostFacts]) -> "HostWatch":
        """Register a host.

        Raises:
            HostLostError: It was declared lost, or another machine works under its id.
            JournalError: The journal cannot be written.
        """
        now = await asyncio.to_thread(facts)
        return cls(hosts, facts, now.host, await hosts.register(now))

    async def keep(self, look: float = LOOK_SECONDS) -> None:
        """Keep what is said of the host up to date, until it is declared lost.

        Raises:
            HostLostError: It was; what its worker still does is refused, so it must end.
        """
        clock = asyncio.get_running_loop().time
        said = clock()
        while True:
            await asyncio.sleep(look)
            with suppress(JournalError):  # the next look tries again
                if not await self._is_still():
                    break
                if clock() - said > FACTS_SECONDS:
                    said = clock()
                    await self.hosts.register(await asyncio.to_thread(self.facts))
        raise HostLostError(
            f"this host ({self.host}) was declared lost while it worked; nothing in its data folder was "
            "removed. `treadle hosts` shows how it stands"
        )

    async def _is_still(self) -> bool:
        return await self.hosts.is_still(self.host, self.generation)
