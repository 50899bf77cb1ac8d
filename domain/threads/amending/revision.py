"""What an amendment makes of a running plan: the whole of it, or nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from pydantic import AliasChoices

from domain.core.errors import InvalidAmendmentError, InvalidPlanError
from domain.core.ids import TaskId
from domain.core.wire import size_bytes
from domain.plans.plan import Decision, PlannedTask
from domain.plans.proposals.limits import FIRST_RULES, PlanRules
from domain.plans.proposals.proposal import read_tasks
from domain.plans.templates.template import PlanTemplate
from domain.plans.warnings import PlanWarning
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
from domain.threads.amending.problems import (
    Problem,
    Tasks,
    broken_changes,
    broken_result,
    idle_decisions,
    refusal,
)

MAX_AMENDED_BYTES = 100_000
"""What the new and the modified tasks may have together, completed from the template."""

WAITING = frozenset({TaskStatus.PENDING, TaskStatus.NEEDS_DECISION, TaskStatus.BLOCKED})
"""Statuses of tasks that have not started, or not again."""

_LOST = frozenset({TaskStatus.FAILED, TaskStatus.CANCELLED, TaskStatus.BLOCKED})


class Frame(NamedTuple):
    """What a plan's tasks are read with; `depth` is how many threads stand above the plan's."""

    template: PlanTemplate
    decisions: tuple[Decision, ...] = ()
    depth: int = 0
    rules: PlanRules = FIRST_RULES


class Amended(NamedTuple):
    """What an amendment comes to: `tasks` are the new and the modified ones, whole.

    `order` has every task of the plan that it makes, in its order.
    """

    tasks: tuple[PlannedTask, ...]
    removed: tuple[TaskId, ...]
    order: tuple[TaskId, ...]
    aborted: tuple[TaskId, ...]
    warnings: tuple[PlanWarning, ...]
    decisions: tuple[Decision, ...] = ()


def amended(tasks: Tasks, amendment: Amendment, frame: Frame) -> Amended:
    """Return what an amendment makes of the tasks of a running plan.

    Raises:
        TreadleError: It may not be, with every problem at once; its type is the problems' own where
            they have one in common, else `invalid_amendment`.
    """
    broken = list(broken_changes(tasks, amendment))
    barred = {problem.task_id for problem in broken}
    changes = [c for c in amendment.changes if barred.isdisjoint(c.named)]
    asked = (*frame.decisions, *amendment.decisions)
    written, warnings, unreadable = _written(tasks, changes, frame._replace(decisions=asked))
    removed = tuple(c.task_id for c in changes if isinstance(c, RemoveTask))
    after = {name: entry.task for name, entry in tasks.items() if name not in removed}
    after |= {task.id: task for task in written}
    result = chain(
        broken_result(tasks, after, frame.rules.limits), idle_decisions(amendment, asked, written)
    )
    found = chain(broken, unreadable, () if unreadable else result)
    if refused := refusal(found):
        raise refused
    return Amended(
        tasks=written,
        removed=removed,
        order=_ordered(tasks, after, changes),
        aborted=tuple(c.task_id for c in changes if isinstance(c, AbortTask)),
        warnings=warnings,
        decisions=amendment.decisions,
    )


def _written(
    tasks: Tasks, changes: Sequence[Change], frame: Frame
) -> tuple[tuple[PlannedTask, ...], tuple[PlanWarning, ...], list[Problem]]:
    """Return the new and the modified tasks, checked and completed as those of a plan."""
    raw = list(_raw_tasks(tasks, changes))
    if not raw:
        return (), (), []
    plan = {
        "tasks": raw,
        "decisions": [decision.model_dump(mode="json") for decision in frame.decisions],
    }
    try:
        read, warnings = read_tasks(plan, frame.template, frame.depth, rules=frame.rules)
    except InvalidPlanError as error:
        problems = error.problems or (error.message,)
        return (), (), [Problem(InvalidAmendmentError, text) for text in problems]
    written = tuple(
        task.model_copy(update={"depends_on": tuple(dict.fromkeys(task.depends_on))})
        for task in read.tasks
    )
    size = sum(size_bytes(task) for task in written)
    if size > MAX_AMENDED_BYTES:
        words = f"its tasks have {size} bytes, at most {MAX_AMENDED_BYTES}: send two amendments"
        return (), (), [Problem(InvalidAmendmentError, words)]
    return written, warnings, []


def _raw_tasks(tasks: Tasks, changes: Sequence[Change]) -> Iterator[dict[str, Any]]:
    for change in changes:
        if isinstance(change, AddTask):
            yield _spelled(change.task)
        elif isinstance(change, ModifyTask):
            present = tasks[change.task_id].task.model_dump(mode="json")
            yield {**present, **_spelled(change.task), "id": change.task_id}


def _spelled(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return a task's fields by the names that they are kept by: `dependsOn` is `depends_on`."""
    return {_NAMES.get(key, key): value for key, value in raw.items()}


def _names() -> Iterator[tuple[str, str]]:
    for name, field in PlannedTask.model_fields.items():
        if isinstance(field.validation_alias, AliasChoices):
            for alias in field.validation_alias.choices:
                yield str(alias), name


_NAMES = dict(_names())


def _ordered(
    tasks: Tasks, after: Mapping[TaskId, PlannedTask], changes: Sequence[Change]
) -> tuple[TaskId, ...]:
    """Return all tasks in order: those that are put first stand before the first that waits."""
    moved = [n for c in changes if isinstance(c, ReorderTasks) for n in c.order]
    first = [name for name in dict.fromkeys(moved) if name in after]
    rest = [name for name in after if name not in first]
    place = next((n for n, name in enumerate(rest) if _waits(tasks, name)), len(rest))
    return (*rest[:place], *first, *rest[place:])


def _waits(tasks: Tasks, name: TaskId) -> bool:
    return name not in tasks or tasks[name].status in WAITING


def changed_statuses(tasks: Tasks, order: Iterable[TaskId]) -> dict[TaskId, TaskStatus]:
    """Return the tasks whose status is not what their dependencies make of it, with the right one.

    A task that waits is blocked where one that it needs did not complete, and pending where none is
    lost any more. `order` has each task after those that it needs.
    """
    now = {name: entry.status for name, entry in tasks.items()}
    found: dict[TaskId, TaskStatus] = {}
    for name in order:
        if now[name] not in WAITING:
            continue
        is_lost = any(now[need] in _LOST for need in tasks[name].task.depends_on)
        if is_lost is (now[name] is TaskStatus.BLOCKED):
            continue
        found[name] = now[name] = TaskStatus.BLOCKED if is_lost else TaskStatus.PENDING
    return found
