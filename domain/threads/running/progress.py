"""What tasks tell of themselves while they run."""

from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.tasks.status import TaskStatus
from domain.threads.commands import NoteProgress
from domain.threads.dispatch import handles
from domain.threads.evolution import evolves
from domain.threads.running.coordination import escalated
from domain.threads.running.events import TaskProgressed
from domain.threads.running.execution import updated
from domain.threads.running.supervision import heard
from domain.threads.state import ThreadState


@handles
def _note(command: NoteProgress, state: ThreadState) -> Decided:
    told = command.progress
    entry = state.tasks.get(told.task_id)
    if entry is None or not entry.status.is_at_work or entry.run != told.run:
        return Decided()
    if entry.progress == told:
        return Decided()
    events: list[EventBody] = [TaskProgressed(progress=told, at=command.at)]
    if entry.status is TaskStatus.PLANNING and not told.is_planning:
        events.append(updated(state, told.task_id, TaskStatus.RUNNING))
    was_blocked = entry.progress is not None and entry.progress.is_blocked
    if not told.is_blocked or was_blocked:
        return Decided(tuple(events))
    words = f"says that it can't go on without a person: {told.waits_for or told.doing}"
    return Decided((*events, *escalated(state, told.task_id, told.run, words)))


@evolves
def _apply_task_progressed(event: TaskProgressed, state: ThreadState) -> ThreadState:
    return heard(state, event)
