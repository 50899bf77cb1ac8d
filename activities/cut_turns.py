"""Turns whose workflow was terminated in them: their end is told, and what they changed committed."""

import logging
from datetime import UTC, datetime

from activities.snapshots import snapshot_of
from domain.agents.agents import StopReason, TurnResult
from domain.conversations.calls import TurnCall
from domain.conversations.events import TurnEnded
from domain.core.errors import RepositoryError, SupersededError, WorkspaceError
from domain.core.event import Event
from domain.core.ids import EventId, StreamId
from domain.core.money import Money
from domain.core.ports import Fences, Journal
from domain.core.workspaces import Claim, Snapshot
from domain.threads.ports import Workspaces

logger = logging.getLogger(__name__)

_LAST_ATTEMPT = 1 << 31
"""Newer than every attempt of the turn itself."""


class CutTurns:
    """Ends turns of a host that no activity ends any more."""

    def __init__(
        self, journal: Journal, workspaces: Workspaces, fences: Fences, queue: str
    ) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._fences = fences
        self._queue = queue

    async def end(self, call: TurnCall, queue: str) -> None:
        """End a turn as one that was stopped, if it is of this host's queue and has not ended yet."""
        turn = call.turn
        event_id = EventId(f"{turn.turn_id}:ended")
        if queue != self._queue or await self._journal.event(event_id) is not None:
            return
        if call.events and await self._journal.event(call.events[-1].id) is None:
            return  # it has not begun: what rides on it is journaled before; or its thread is deleted
        if not await self._journal.headlines(below=StreamId(turn.session_id)):
            return
        result = TurnResult(
            turn_id=turn.turn_id,
            stop_reason=StopReason.CANCELLED,
            money=Money(unknown=1),  # it has told nothing of its end
            snapshot=await self._snapshot(call),
        )
        body = TurnEnded(session_id=turn.session_id, result=result)
        stream = StreamId(turn.session_id)
        ended = Event(id=event_id, stream=stream, at=datetime.now(UTC), body=body)
        await self._journal.append([ended], [])

    async def _snapshot(self, call: TurnCall) -> Snapshot | None:
        turn = call.turn
        claim = Claim(order=call.order, grant=call.grant, attempt=_LAST_ATTEMPT)
        try:
            async with self._fences.held(turn.workspace.workspace_id, claim):
                return await snapshot_of(turn, self._workspaces, self._journal)
        except (RepositoryError, SupersededError, WorkspaceError):
            # another works in it by now and commits this as well, or the worktree is gone
            logger.warning("a cut turn's work was not committed", exc_info=True)
            return None
