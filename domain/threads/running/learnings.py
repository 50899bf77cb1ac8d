"""Learnings of tasks come to the thread when their task has completed, once, in that order."""

from collections.abc import Iterable

from domain.core.event import EventBody
from domain.core.wire import size_bytes
from domain.tasks.learnings import Learning
from domain.threads.evolution import with_task
from domain.threads.registry import THREAD_RULES
from domain.threads.running.events import LearningsAdded
from domain.threads.state import ThreadState

MAX_KEPT = 200
MAX_BYTES = 200_000
"""Learnings of a thread; the journal has the older ones."""


@THREAD_RULES.reacts
def add_learnings(state: ThreadState) -> Iterable[EventBody]:
    for task_id in state.tasks.learned():
        entry = state.tasks[task_id]
        yield LearningsAdded(
            plan_id=state.plan_id, task_id=task_id, run=entry.run, learnings=entry.learned
        )


@THREAD_RULES.evolves
def apply_learnings_added(event: LearningsAdded, state: ThreadState) -> ThreadState:
    return with_task(with_learnings(state, event.learnings), event.task_id, learned=())


def with_learnings(state: ThreadState, more: tuple[Learning, ...]) -> ThreadState:
    """Return the state with more learnings, the oldest forgotten where there is no room."""
    kept = (*state.learnings, *more)[-MAX_KEPT:]
    while size_bytes(kept) > MAX_BYTES:
        kept = kept[1:]
    return state.model_copy(update={"learnings": kept})
