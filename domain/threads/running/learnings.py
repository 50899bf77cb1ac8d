"""Learnings of tasks come to the thread when their task has completed, once, in that order."""

from collections.abc import Iterable

from domain.core.event import EventBody
from domain.core.wire import size_bytes
from domain.tasks.learnings import Learning, LearningEvidence
from domain.tasks.status import TaskStatus
from domain.threads.evolution import with_task
from domain.threads.registry import THREAD_RULES
from domain.threads.running.events import LearningsAdded, LearningsPromoted
from domain.threads.running.state import ThreadTask
from domain.threads.state import ThreadState

AGENTS_FILE = "AGENTS.md"
MAX_TITLE = 200
MAX_AREA = 20
"""Globs, and steps, of the evidence."""

MAX_KEPT = 200
MAX_BYTES = 200_000
"""Learnings of a thread; the journal has the older ones."""


@THREAD_RULES.reacts
def add_learnings(state: ThreadState) -> Iterable[EventBody]:
    for task_id in state.tasks.learned():
        entry = state.tasks[task_id]
        yield LearningsAdded(
            plan_id=state.plan_id,
            task_id=task_id,
            run=entry.run,
            learnings=entry.learned,
            evidence=_evidence(entry),
        )


def _evidence(entry: ThreadTask) -> LearningEvidence:
    """Return what stands behind what a completed task learned."""
    task = entry.task
    return LearningEvidence(
        title=task.title[:MAX_TITLE],
        area=task.area[:MAX_AREA],
        commit=entry.merge_commit or entry.commit or "",
        verified=tuple(step.label[:MAX_TITLE] for step in task.verification if step.required)[
            :MAX_AREA
        ],
        attempts=entry.attempts,
    )


@THREAD_RULES.reacts
def note_promotion(state: ThreadState) -> Iterable[EventBody]:
    """Tell once that the learnings are in AGENTS.md, by a change that people approved at its gate."""
    opened = state.opened
    if opened is None or not opened.promotes or state.has_promoted:
        return
    for entry in state.tasks.values():
        files = entry.progress.files if entry.progress else ()
        is_merged = entry.status is TaskStatus.COMPLETED and entry.merge_commit is not None
        if is_merged and entry.approved_by and AGENTS_FILE in files:
            yield LearningsPromoted(
                learning_ids=opened.promotes,
                commit=entry.merge_commit or "",
                approved_by=entry.approved_by,
            )
            return


@THREAD_RULES.evolves
def apply_learnings_promoted(event: LearningsPromoted, state: ThreadState) -> ThreadState:
    del event
    return state.model_copy(update={"has_promoted": True})


@THREAD_RULES.evolves
def apply_learnings_added(event: LearningsAdded, state: ThreadState) -> ThreadState:
    return with_task(with_learnings(state, event.learnings), event.task_id, learned=())


def with_learnings(state: ThreadState, more: tuple[Learning, ...]) -> ThreadState:
    """Return the state with more learnings, the oldest forgotten where there is no room."""
    kept = (*state.learnings, *more)[-MAX_KEPT:]
    while size_bytes(kept) > MAX_BYTES:
        kept = kept[1:]
    return state.model_copy(update={"learnings": kept})
