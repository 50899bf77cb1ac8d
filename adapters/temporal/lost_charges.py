"""What turns reserved that no activity settles any more: a worker was killed, and their workflow has ended."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import timedelta

from temporalio.client import Client, WorkflowExecutionDescription, WorkflowExecutionStatus
from temporalio.service import RPCError, RPCStatusCode

from adapters.journal.ledger import JournalLedger
from domain.agents.ledger import Purses, Reserved
from domain.agents.spending import taken_by
from domain.conversations.events import TurnEnded
from domain.core.errors import JournalError
from domain.core.ids import EventId, StreamId
from domain.core.money import Money
from domain.core.ports import Journal
from domain.reading.money import MoneyFold

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 120.0
TURN = "run_agent_turn"
"""The activity that reserves and settles: where none is under way, nobody settles any more."""

OLD = timedelta(minutes=5)
"""What was reserved later may be of an activity that is about to be tried again."""


class LostCharges:
    """Settles what was lost, and lets those try again that wait for its room."""

    def __init__(
        self,
        client: Client,
        journal: Journal,
        ledger: JournalLedger,
        purses: Purses,
        limits: Callable[[], Awaitable[MoneyFold]],
    ) -> None:
        self._client = client
        self._journal = journal
        self._ledger = ledger
        self._purses = purses
        self._limits = limits

    async def keep_settling(self) -> None:
        """Look now and then, until cancelled."""
        while True:
            try:
                await self.settle(OLD)
            except (RPCError, JournalError):
                logger.warning("reservations were not looked at", exc_info=True)
            await asyncio.sleep(SWEEP_SECONDS)

    async def settle(self, older: timedelta) -> int:
        """Settle what was reserved so long ago and is lost; returns how much that was."""
        found = 0
        for lost in await self._ledger.reserved(older):
            money = await self._cost(lost)
            if money is not None:
                found += 1
                for owner in await self._ledger.settle_lost(lost, money):
                    await self._purses.free(StreamId(owner))
        for waits in await self._ledger.waits(older):
            if await self._has_ended(waits):
                await self._ledger.stopped([waits.key])
        await self._put_right()
        return found

    async def _put_right(self) -> None:
        """Drop questions for whose answer nothing waits any more, and ask what should be asked."""
        state = (await self._limits()).state
        held = await self._ledger.held()  # what waits is noted before it is asked
        idle = [each.request_id for key, each in state.asked.items() if key not in held]
        if idle:
            await self._purses.drop(tuple(idle))
        known = state.asked.keys() | {each.scope.key for each in state.changes if each.scope}
        unmet = await self._ledger.unmet()
        unasked = tuple(each for each in unmet.reached if each.scope.key not in known)
        if unasked:
            await self._purses.tell(unmet.model_copy(update={"reached": unasked}))

    async def _has_ended(self, waits: Reserved) -> bool:
        """Tell whether a turn that waits for a limit is over, so that nobody is asked because of it."""
        ended = await self._journal.event(EventId(f"{waits.turn}:ended"))
        if ended is not None or await self._ledger.has_ended(waits):
            return True
        return await self._described(waits.owner) is None

    async def _cost(self, lost: Reserved) -> Money | None:
        """Return what a turn cost that is over; None while it may go on.

        One that was terminated has told no cost: nobody knows it, unless its agent is on a flat plan.
        """
        nobody_knows = Money(included_turns=1) if lost.is_included else Money(unknown=1)
        ended = await self._journal.event(EventId(f"{lost.turn}:ended"))
        if ended is not None and isinstance(ended.body, TurnEnded):
            money = taken_by(ended.body.result).cost
            return nobody_knows if money in (Money(), Money(unknown=1)) else money
        return None if await self._may_go_on(lost.owner) else nobody_knows

    async def _may_go_on(self, workflow_id: str) -> bool:
        """Tell whether a workflow has a turn under way; the end of one whose worker was lost is not in the journal."""
        described = await self._described(workflow_id)
        pending = described.raw_description.pending_activities if described else ()
        return any(each.activity_type.name == TURN for each in pending)

    async def _described(self, workflow_id: str) -> WorkflowExecutionDescription | None:
        """Return what Temporal tells of a workflow; None where it has ended."""
        try:
            described = await self._client.get_workflow_handle(workflow_id).describe()
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return None
            raise
        return described if described.status is WorkflowExecutionStatus.RUNNING else None
