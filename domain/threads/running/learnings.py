"""Learnings of tasks come to the thread when their task has completed, once, in that order."""

from collections.abc import Iterable

from domain.core.event import EventBody
from domain.core.ids import TaskId
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
        yield learnings_of(task_id, state, commit=entry.merge_commit or entry.commit or "")


def learnings_of(task_id: TaskId, state: ThreadState, *, commit: str) -> LearningsAdded:
    """Return what the newest run of a task learned, as the thread takes it; `commit` has its work."""
    entry = state.tasks[task_id]
    return LearningsAdded(
        plan_id=state.plan_id,
        task_id=task_id,
        run=entry.run,
        learnings=entry.learned,
        evidence=_evidence(entry, commit),
    )


def _evidence(entry: ThreadTask, commit: str) -> LearningEvidence:
    """Return what stands behind what a task learned whose work is merged."""
    task = entry.task
    return LearningEvidence(
        title=task.title[:MAX_TITLE],
        area=task.area[:MAX_AREA],
        commit=commit,
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
    for task_id, entry in state.tasks.items():
        people = _approvers(state, task_id, entry)
        if people:
            yield LearningsPromoted(
                learning_ids=opened.promotes,
                commit=entry.merge_commit or "",
                approved_by=people,
            )
            return


def approvers(state: ThreadState) -> tuple[str, ...]:
    """Return the people who approved the first merged change of AGENTS.md, at its gate or in a child thread."""
    found = (_approvers(state, task_id, entry) for task_id, entry in state.tasks.items())
    return next(filter(None, found), ())


def _approvers(state: ThreadState, task_id: TaskId, entry: ThreadTask) -> tuple[str, ...]:
    """Return who approved what a task brought into AGENTS.md; nobody where it brought nothing."""
    if entry.status is not TaskStatus.COMPLETED or entry.merge_commit is None:
        return ()
    child = state.family.child_of(task_id, entry.run)
    if child is not None:
        return child.report.promoted_by if child.report else ()
    files = entry.progress.files if entry.progress else ()
    link = state.opened.facts.survey.agents_link if state.opened else ""
    return entry.approved_by if {AGENTS_FILE, link} & {*files} else ()


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
