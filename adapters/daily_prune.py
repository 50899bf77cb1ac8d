"""The prune of each day: of any number of workers the first that looks starts it."""

import logging
from dataclasses import dataclass, field
from datetime import UTC, date, datetime

from temporalio.client import Client

from adapters.journal.retained import Retained
from adapters.looking import keep_looking
from adapters.temporal.pruned import start_prune
from domain.retention.calls import PruneInput
from domain.retention.policy import PrunePolicy

LOOK_SECONDS = 600.0
BY = "treadle"

_LOG = logging.getLogger(__name__)


@dataclass
class DailyPrune:
    """Removes once a day what the settings say; without a policy, nothing. The day is in UTC."""

    retained: Retained
    client: Client
    policy: PrunePolicy | None
    _done: date = field(default=date.min, init=False)

    async def keep(self, look: float = LOOK_SECONDS) -> None:
        """Look again and again, until it is cancelled; what fails is tried again at the next look."""
        if self.policy is not None:
            await keep_looking(self.look, look, "threads could not be pruned", _LOG)

    async def look(self, now: datetime | None = None) -> None:
        """Start the prune of the day if none has, and something would go.

        Raises:
            JournalError: The journal does not answer.
            RPCError: Temporal does not answer.
        """
        now = now or datetime.now(UTC)
        if self.policy is None or self._done == now.date():
            return
        found = await self.retained.selection(self.policy, now)
        if found.chosen:
            prune_id = f"prune-{now:%Y%m%d}"
            given = PruneInput(prune_id=prune_id, policy=self.policy, threads=found.chosen, by=BY)
            if await start_prune(self.client, given):
                _LOG.info("%s removes %d threads", prune_id, len(found.chosen))
        self._done = now.date()
