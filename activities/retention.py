"""Pruning: a thread is looked at again, removes itself, and its histories go."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.errors import InvalidError, NotFoundError, TreadleError, WrongStateError
from domain.core.event import JournaledEvent
from domain.core.ids import CommandId, StreamId, is_terminal, thread_of
from domain.core.lifecycle.commands import DeleteThread
from domain.core.lifecycle.events import DeletionRequested
from domain.core.ports import Journal
from domain.core.status_words import ENDED
from domain.reading.projection import ThreadFold
from domain.retention.archives import (
    ArchiveCall,
    ArchivedThread,
    ArchiveError,
    ArchiveUnreachableError,
)
from domain.retention.calls import (
    DeleteCall,
    DeletionOutcome,
    EraseCall,
    ErasureResult,
    Survey,
    SurveyCall,
)
from domain.retention.ports import PrunedWorkflows, ThreadArchives
from domain.threads.lifecycle.calls import RemovalCall
from domain.threads.state import ThreadState

ARCHIVE_ATTEMPTS = 5
"""How often a store of archives that does not answer is asked before a thread stays."""

_BATCH = 500


@dataclass
class _Found:
    """What the journal has of a thread."""

    fold: ThreadFold
    streams: set[StreamId] = field(default_factory=set[StreamId])
    events: int = 0
    opened_at: datetime | None = None
    changed_at: datetime | None = None

    def add(self, journaled: JournaledEvent) -> None:
        event = journaled.event
        if thread_of(event.stream) != self.fold.thread.thread_id:
            return
        self.events += 1
        self.opened_at = self.opened_at or event.at
        self.changed_at = event.at
        self.streams.add(event.stream)
        self.fold.add(journaled)


class Pruning:
    """Removes threads for good, one at a time; every step again is harmless."""

    def __init__(
        self,
        journal: Journal,
        workflows: PrunedWorkflows,
        removal_of: Callable[[ThreadState], RemovalCall],
        archives: ThreadArchives | None = None,
    ) -> None:
        self._journal = journal
        self._workflows = workflows
        self._removal_of = removal_of
        self._archives = archives

    @activity.defn
    async def survey_thread(self, call: SurveyCall) -> Survey:
        """Return what a thread holds, or why it is not removed."""
        found = _Found(ThreadFold(call.thread.thread_id))
        with translated():
            async with beating():
                await self._read(found)
                try:
                    _check(found, call)
                except TreadleError as error:
                    return Survey(problem=error.message)
        return self._survey(found)

    async def _read(self, found: _Found) -> None:
        thread, after = StreamId(found.fold.thread.thread_id), 0
        while page := await self._journal.read(thread, after=after, limit=_BATCH, below=True):
            after = page[-1].position
            for journaled in page:
                found.add(journaled)

    def _survey(self, found: _Found) -> Survey:
        state = found.fold.thread
        below = [name for name in found.streams if name != state.thread_id]
        sessions = [name for name in below if "/session-" in name and not is_terminal(name)]
        tasks = [name for name in below if name.count("/") == 1 and name not in sessions]
        is_terminated = state.lifecycle.is_terminated
        return Survey(
            opened_at=found.opened_at,
            events=found.events,
            tasks=len(tasks),
            sessions=len(sessions),
            workflows=tuple(sorted(found.streams)),
            host=state.opened.host if is_terminated and state.opened else "",
            removal=self._removal_of(state) if is_terminated and state.opened else None,
        )

    @activity.defn
    async def archive_thread(self, call: ArchiveCall) -> ArchivedThread:
        """Write a thread to a file outside of Treadle; what refuses it is an answer, and it stays."""
        if self._archives is None:
            return ArchivedThread(problem="this host keeps no archives")
        with translated():
            async with beating():
                try:
                    return await self._archives.archive(call)
                except (ArchiveError, InvalidError) as error:
                    return ArchivedThread.failed(error)
                except ArchiveUnreachableError as error:
                    if activity.info().attempt < ARCHIVE_ATTEMPTS:
                        raise
                    return ArchivedThread.failed(error)

    @activity.defn
    async def delete_pruned(self, call: DeleteCall) -> DeletionOutcome:
        """Have a thread remove itself and wait for its end; what it refuses is an answer."""
        command = DeleteThread(
            command_id=CommandId(call.command_id),
            by=call.by,
            is_pruning=True,
            recorded=call.recorded,
        )
        with translated():
            async with beating():
                if call.archived and await self._has_changed(call):
                    return DeletionOutcome(problem="it changed after it was archived")
                try:
                    await self._workflows.delete(call.thread_id, command)
                except (NotFoundError, WrongStateError) as error:
                    if await self._is_left(call):
                        return DeletionOutcome(problem=error.message)
                    # an attempt before this one did it
                    message = await self._workflows.await_end(call.thread_id)
                    return DeletionOutcome(message=message or "deleted")
                message = await self._workflows.await_end(call.thread_id)
        if message is None:
            problem = "its host does not answer: it is deleted as soon as that host is back"
            return DeletionOutcome(problem=problem)
        return DeletionOutcome(message=message)

    async def _has_changed(self, call: DeleteCall) -> bool:
        """Tell whether something came after the archive other than this removal itself."""
        thread = StreamId(call.thread_id)
        newer = await self._journal.read(thread, after=call.archived, limit=1, below=True)
        return any(not isinstance(each.event.body, DeletionRequested) for each in newer)

    async def _is_left(self, call: DeleteCall) -> bool:
        return bool(await self._journal.read(StreamId(call.thread_id), limit=1))

    @activity.defn
    async def erase_histories(self, call: EraseCall) -> ErasureResult:
        """Remove the histories of a thread that is gone."""
        with translated():
            async with beating():
                count = await self._workflows.erase(call.thread_id, call.workflows)
        return ErasureResult(histories=count)


def _check(found: _Found, call: SurveyCall) -> None:
    """Refuse what may not be pruned, or not any more.

    Raises:
        NotFoundError: It is gone.
        WrongStateError: It is pinned, at work, damaged, or has changed.
    """
    fold, state = found.fold, found.fold.thread
    if not found.events:
        raise NotFoundError("it is gone already")
    if fold.damaged:
        raise WrongStateError("the journal has damaged events of it: `treadle journal repair`")
    if state.lifecycle.is_pinned:
        raise WrongStateError("it is pinned")
    if state.status not in ENDED:
        raise WrongStateError(f"it is {state.status}")
    if any(facts.is_working for facts in fold.facts.values()):
        raise WrongStateError("something is under way in it")
    if found.changed_at is not None and found.changed_at > call.before:
        raise WrongStateError(f"it changed on {found.changed_at:%Y-%m-%d %H:%M}")
