"""Money of turns: what one reserves before it starts, what it has cost, and who is told of limits."""

from temporalio import activity
from temporalio.service import RPCError

from domain.agents.agents import TurnInput, TurnResult
from domain.agents.ledger import Ledger, Purses, TurnEntry
from domain.agents.limits.money import CROWDED, HOLDS, OVER_LIMIT, TurnLimits
from domain.agents.ports import Rate
from domain.core.ids import StreamId, TaskId, ThreadId, task_workflow_id


class Purse:
    """Reserves and settles; every attempt at a part of a turn does so under one key, so once."""

    def __init__(self, ledger: Ledger, purses: Purses) -> None:
        self._ledger = ledger
        self._purses = purses

    async def enter(self, turn: TurnInput, rate: Rate | None) -> TurnResult | None:
        """Reserve for a turn; returns how it waits where it may not start."""
        admission = await self._ledger.reserve(_entry(turn, rate))
        if admission.reached or admission.near:
            await self._purses.tell(admission)
        if admission.is_admitted:
            return None
        return TurnResult(
            turn_id=turn.turn_id,
            agent_session=turn.agent_session,
            part=turn.refusals,
            provider=OVER_LIMIT if admission.reached else CROWDED,
            retry_at=admission.until,
            limit_reason=admission.reason,
        )

    async def leave(self, turn: TurnInput, result: TurnResult, rate: Rate | None) -> None:
        """Settle what a turn cost, and let those try again that wait for room."""
        if result.money is None or result.provider in HOLDS:
            return
        told, owners = await self._ledger.settle(_entry(turn, rate), result.money)
        try:
            if told.near or told.reached:
                await self._purses.tell(told)
            for owner in owners:
                await self._purses.free(StreamId(owner))
        except RPCError:
            # the next end tells it again; the turn would be taken a second time, and paid for
            activity.logger.warning("nobody was told of limits", exc_info=True)


def _entry(turn: TurnInput, rate: Rate | None) -> TurnEntry:
    is_of_task, limits = turn.owner != turn.thread_id, turn.money or TurnLimits()
    task = (
        task_workflow_id(ThreadId(turn.thread_id), TaskId(limits.task))
        if limits.task
        else turn.owner
    )
    return TurnEntry(
        key=f"{turn.turn_id}:{turn.refusals}",
        turn=turn.turn_id,
        owner=activity.info().workflow_id or "",
        thread=turn.thread_id,
        task=task if is_of_task else "",
        project=turn.workspace.repository,
        agent=turn.agent,
        model=turn.model or "",
        work=turn.work or turn.role,
        limits=limits,
        is_included=rate is not None and rate(None, "").included_turns > 0,
    )
