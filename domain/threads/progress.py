"""What tasks tell of themselves while they run."""

from domain.decisions import Decided
from domain.events.running import TaskProgressed
from domain.threads.commands import NoteProgress
from domain.threads.dispatch import handles
from domain.threads.evolution import evolves, with_task
from domain.threads.state import ThreadState


@handles
def _note(command: NoteProgress, state: ThreadState) -> Decided:
    told = command.progress
    entry = state.tasks.get(told.task_id)
    if entry is None or not entry.status.is_at_work or entry.run != told.run:
        return Decided()
    if entry.progress == told:
        return Decided()
    return Decided((TaskProgressed(progress=told),))


@evolves
def _(event: TaskProgressed, state: ThreadState) -> ThreadState:
    return with_task(state, event.progress.task_id, progress=event.progress)
