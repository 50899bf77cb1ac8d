"""What tasks tell of themselves while they run."""

from datetime import datetime

from domain.core.decisions import Decided
from domain.core.event import EventBody
from domain.tasks.status import TaskStatus
from domain.threads.commands import NoteProgress
from domain.threads.registry import THREAD_RULES
from domain.threads.running.coordination import escalated
from domain.threads.running.events import TaskProgressed
from domain.threads.running.execution import updated
from domain.threads.running.own_turns import note_block
from domain.threads.running.supervision import heard
from domain.threads.state import ThreadState


@THREAD_RULES.handles
def note_progress(command: NoteProgress, state: ThreadState, now: datetime) -> Decided:
    progress = command.progress
    entry = state.tasks.get(progress.task_id)
    if entry is None or not entry.status.is_at_work or entry.run != progress.run:
        return Decided()
    if entry.progress == progress or progress.is_older(entry.progress):
        return Decided()
    events: list[EventBody] = [TaskProgressed(progress=progress, at=now)]
    if entry.status is TaskStatus.PLANNING and not progress.is_planning:
        events.append(updated(state, progress.task_id, TaskStatus.RUNNING))
    was_blocked = entry.progress is not None and entry.progress.is_blocked
    if not progress.is_blocked or was_blocked:
        return Decided(tuple(events))
    words = f"says that it can't go on without a person: {progress.waits_for or progress.doing}"
    return Decided((*events, *escalated(state, progress.task_id, progress.run, words)))


@THREAD_RULES.evolves
def apply_task_progressed(event: TaskProgressed, state: ThreadState) -> ThreadState:
    return note_block(state, heard(state, event), event.progress)
