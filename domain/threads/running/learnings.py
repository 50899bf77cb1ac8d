"""Learnings of tasks come to the thread when their task has completed, once, in that order (J1, I28)."""

from collections.abc import Iterable

from domain.core.event import EventBody
from domain.core.wire import size_bytes
from domain.tasks.status import TaskStatus
from domain.threads.evolution import with_task
from domain.threads.registry import THREAD_RULES
from domain.threads.running.events import LearningsAdded
from domain.threads.state import ThreadState

MAX_KEPT = 200
MAX_BYTES = 200_000
"""Learnings of a thread; the journal has the older ones."""


@THREAD_RULES.reacts
def add_learnings(state: ThreadState) -> Iterable[EventBody]:
    for task_id, entry in state.tasks.items():
        if entry.status is TaskStatus.COMPLETED and entry.learned:
            yield LearningsAdded(
                plan_id=state.plan_id, task_id=task_id, run=entry.run, learnings=entry.learned
            )


@THREAD_RULES.evolves
def apply_learnings_added(event: LearningsAdded, state: ThreadState) -> ThreadState:
    kept = (*state.learnings, *event.learnings)[-MAX_KEPT:]
    while size_bytes(kept) > MAX_BYTES:
        kept = kept[1:]
    return with_task(state.model_copy(update={"learnings": kept}), event.task_id, learned=())
