"""What an amendment must not do, each problem with the error that stands for it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from domain.core import graphs
from domain.core.closest import few_names, known_names
from domain.core.errors import (
    CycleError,
    DuplicateIdError,
    HasDependentsError,
    InvalidAmendmentError,
    TaskCompletedError,
    TaskRunningError,
    TreadleError,
    UnknownDependencyError,
    UnknownTaskError,
    WrongStateError,
)
from domain.core.ids import TaskId
from domain.plans.best_of import MAX_IN_ALL, candidate_id
from domain.plans.plan import Decision, PlannedTask
from domain.plans.proposals.limits import PlanLimits
from domain.tasks.events import TaskEnd
from domain.tasks.status import TaskStatus
from domain.threads.amending.amendment import (
    AbortTask,
    AddTask,
    Amendment,
    Change,
    ModifyTask,
    RemoveTask,
    ReorderTasks,
)
from domain.threads.running.state import ThreadTask

MAX_PROBLEMS = 50
MAX_ASKED = 100
_WORDS = 500
_SHOWN = 20
_MATCHED = 10
"""Names that are matched with those of the plan."""

_ENDED = frozenset({TaskStatus.FAILED, TaskStatus.CANCELLED, TaskStatus.BLOCKED})

Tasks = Mapping[TaskId, ThreadTask]


class Problem(NamedTuple):
    """One problem: the error that it would be alone, what to do, and the task it is at."""

    error: type[TreadleError]
    text: str
    task_id: TaskId | None = None

    @property
    def single_line(self) -> str:
        """The problem as it is told where it is the only one."""
        where = f"task {self.task_id[:80]!r}: " if self.task_id else ""
        return f"{where}{self.text}"[:_WORDS].replace("\n", " ")

    def __str__(self) -> str:
        """Return the problem as one line of many."""
        kind = "" if self.error is InvalidAmendmentError else f"{self.error.type}: "
        return f"{kind}{self.single_line}"


def refusal(problems: Iterable[Problem]) -> TreadleError | None:
    """Return the error that tells all problems; its type is theirs where they have one in common."""
    found = list(problems)
    if not found:
        return None
    kinds = {problem.error for problem in found}
    kind = kinds.pop() if len(kinds) == 1 else InvalidAmendmentError
    if len(found) == 1:
        return kind(found[0].single_line)
    head = f"the amendment has {len(found)} problems; fix all of them and propose it again:"
    return kind("\n".join([head, *(f"- {problem}" for problem in found[:MAX_PROBLEMS])]))


def broken_changes(tasks: Tasks, amendment: Amendment) -> Iterator[Problem]:
    """Yield the changes that the present state of their tasks does not allow."""
    added = [n for c in amendment.changes if isinstance(c, AddTask) for n in c.named]
    seen: dict[TaskId, Change] = {}
    unknown = 0
    for change in amendment.changes:
        for name in change.named:
            if not isinstance(change, ReorderTasks):
                yield from _changed_twice(name, change, seen)
            if name in tasks or isinstance(change, AddTask):
                yield from _broken(tasks, name, change)
            elif not (isinstance(change, ReorderTasks) and name in added):
                unknown += 1
                yield _unknown(tasks, name, change, is_matched=unknown <= _MATCHED)


def _changed_twice(name: TaskId, change: Change, seen: dict[TaskId, Change]) -> Iterator[Problem]:
    earlier = seen.setdefault(name, change)
    if earlier is change:
        return
    if isinstance(earlier, AddTask) and isinstance(change, AddTask):
        yield Problem(DuplicateIdError, "it is added twice: each task has its own id", name)
    else:
        words = f"one amendment can't {earlier.kind} and {change.kind} it: make it one change"
        yield Problem(InvalidAmendmentError, words, name)


def _broken(tasks: Tasks, name: TaskId, change: Change) -> Iterator[Problem]:
    entry = tasks.get(name)
    if isinstance(change, AddTask):
        if entry is not None:
            words = f"the plan has it already, it is {_word(entry)}: give the new task another id"
            yield Problem(DuplicateIdError, words, name)
    elif entry is None:
        return
    elif entry.task.candidate_of and not isinstance(change, AbortTask):
        words = f"one of the agents of {entry.task.candidate_of!r}: it can't be {_done(change)}, its task can"
        yield Problem(InvalidAmendmentError, words, name)
    elif isinstance(change, AbortTask):
        yield from _broken_abort(tasks, name, entry)
    elif entry.status is TaskStatus.COMPLETED:
        words = (
            f"it is completed and never changes: it can't be {_done(change)}; add a task instead"
        )
        yield Problem(TaskCompletedError, words, name)
    elif entry.status.is_at_work:
        words = f"it runs and can't be {_done(change)}: abort it first"
        yield Problem(TaskRunningError, words, name)


def _unknown(tasks: Tasks, name: TaskId, change: Change, *, is_matched: bool) -> Problem:
    """Return the problem of a task that is not there; to match its name takes a while."""
    known = known_names(name, tasks) if is_matched else few_names(tasks)
    words = f"there is no such task to {change.kind}; the plan has: {known}"
    return Problem(UnknownTaskError, words, name)


def _broken_abort(tasks: Tasks, name: TaskId, entry: ThreadTask) -> Iterator[Problem]:
    if entry.status is TaskStatus.COMPLETED:
        yield Problem(TaskCompletedError, "it is completed: there is nothing to abort", name)
    elif entry.status.is_at_work and entry.end is not None:
        yield Problem(WrongStateError, "it has ended and is being merged", name)
    elif entry.status.is_at_work and _is_candidate_merged(tasks, name, entry):
        words = "the candidate that was taken has ended and is being merged"
        yield Problem(WrongStateError, words, name)
    elif entry.status in _ENDED - {TaskStatus.CANCELLED}:
        words = f"it is {entry.status}: there is nothing to abort; remove or modify it"
        yield Problem(WrongStateError, words, name)


def _is_candidate_merged(tasks: Tasks, name: TaskId, entry: ThreadTask) -> bool:
    """Tell whether a task's abort comes too late, as one of the agents that do it was accepted."""
    if not entry.task.is_contest:
        return False
    candidates = (tasks.get(candidate_id(name, place)) for place in range(MAX_IN_ALL))
    return any(
        each is not None and each.end is TaskEnd.ACCEPTED and not each.is_over
        for each in candidates
    )


def _done(change: Change) -> str:
    match change:
        case ModifyTask():
            return "modified, nor depend on other tasks"
        case RemoveTask():
            return "removed"
        case _:
            return "reordered"


def broken_result(
    before: Tasks, after: Mapping[TaskId, PlannedTask], limits: PlanLimits
) -> Iterator[Problem]:
    """Yield what is wrong with the plan that an amendment would make."""
    graph: dict[str, tuple[TaskId, ...]] = {n: task.depends_on for n, task in after.items()}
    needing: dict[TaskId, list[str]] = {}
    for name, task in after.items():
        for needed in task.depends_on:
            if needed in before and needed not in graph:
                needing.setdefault(needed, []).append(name)
            elif needed not in graph:
                known = few_names(after)
                words = f"it depends on {needed[:80]!r}, which is no task; there are: {known}"
                yield Problem(UnknownDependencyError, words, name)
    for removed, others in needing.items():
        words = (
            f"it is needed by {few_names(others)}: remove them as well, or modify what they "
            "depend on in the same amendment"
        )
        yield Problem(HasDependentsError, words, removed)
    for path in graphs.cycles(graph):
        yield Problem(CycleError, f"it would wait for itself: {_path(path)}", TaskId(path[-2]))
    if not after:
        words = "no task would be left: cancel the plan instead"
        yield Problem(InvalidAmendmentError, words)
    if len(after) > limits.tasks:
        words = f"the plan would have {len(after)} tasks, at most {limits.tasks}"
        yield Problem(InvalidAmendmentError, words)
    size = sum(limits.size_of(task) for task in after.values())
    if size > limits.bytes:
        words = f"the plan's tasks would have {size} bytes, at most {limits.bytes}: say less"
        yield Problem(InvalidAmendmentError, words)


def idle_decisions(
    amendment: Amendment, asked: Sequence[Decision], written: Iterable[PlannedTask]
) -> Iterator[Problem]:
    """Yield new questions that hold up no task of the amendment, and what is too much of them."""
    waiting = {task.decision_id for task in written}
    for decision in amendment.decisions:
        if decision.id not in waiting:
            words = (
                f"decision {decision.id[:80]!r}: no task of this amendment waits for it; name it as "
                "the `decision_id` of one"
            )
            yield Problem(InvalidAmendmentError, words)
    if amendment.decisions and len(asked) > MAX_ASKED:
        words = f"the plan would ask {len(asked)} questions, at most {MAX_ASKED}"
        yield Problem(InvalidAmendmentError, words)


def _path(path: list[str]) -> str:
    if len(path) > _SHOWN:
        path = [*path[: _SHOWN - 1], f"({len(path) - _SHOWN} more)", path[-1]]
    return " → ".join(path)


def _word(entry: ThreadTask) -> str:
    return entry.status.replace("_", " ")
