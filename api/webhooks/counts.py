"""How many deliveries were taken and refused, counted in memory and written from time to time.

A row for each sender and outcome is all that the journal gets of them, so nobody fills it.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncGenerator
from datetime import UTC, datetime

from adapters.journal import SqlJournal
from domain.core.errors import JournalError
from domain.forges.received import DeliveryOutcome, Refusal

_LOG = logging.getLogger(__name__)

PAUSE_SECONDS = 5.0


class Counts:
    """Counts by sender and by what came of it; there are no more of either than the settings and the code have."""

    def __init__(self, journal: SqlJournal) -> None:
        self._deliveries = journal.webhook_deliveries
        self._counts: Counter[tuple[str, DeliveryOutcome | Refusal]] = Counter()

    def add(self, sender: str, result: DeliveryOutcome | Refusal) -> None:
        """Count one; the sender is empty where it is none of the configured ones."""
        self._counts[sender, result] += 1

    async def write(self) -> None:
        """Write what was counted since; what the journal does not take is written the next time."""
        counts, self._counts = self._counts, Counter()
        try:
            await self._deliveries.count(counts, datetime.now(UTC))
        except JournalError as error:
            _LOG.warning("webhooks could not be counted: %s", error)
            self._counts.update(counts)

    @contextlib.asynccontextmanager
    async def writing(self) -> AsyncGenerator[None]:
        """Write every few seconds until the block ends."""
        task = asyncio.create_task(self._go())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await self.write()

    async def _go(self) -> None:
        while True:
            await asyncio.sleep(PAUSE_SECONDS)
            await self.write()
