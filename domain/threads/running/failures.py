"""Which tasks a person has to look at: those that stopped and that nothing else moves."""

from collections.abc import Iterable
from typing import NamedTuple

from domain.core.ids import TaskId
from domain.tasks.status import TaskStatus
from domain.threads.running.plan_tasks import STOPPED, PlanTasks


class Standing(NamedTuple):
    """How a task stands; `abort_reason` is why the thread's agent aborted it."""

    task_id: TaskId
    status: TaskStatus
    depends_on: tuple[TaskId, ...]
    abort_reason: str


def failures(tasks: Iterable[Standing]) -> frozenset[TaskId]:
    """Return the stopped tasks that wait for a person.

    One that is held up by another that stopped goes on with it, and an abort by a person is no failure.
    """
    stopped = {task.task_id: task for task in tasks if task.status in STOPPED}
    return frozenset(
        task_id
        for task_id, task in stopped.items()
        if not any(needed in stopped for needed in task.depends_on)
        and (task.status is not TaskStatus.CANCELLED or task.abort_reason)
    )


def failures_of(tasks: PlanTasks) -> frozenset[TaskId]:
    """Return those among the tasks of a thread that wait for a person."""
    return failures(
        Standing(task_id, entry.status, entry.task.depends_on, entry.abort_reason)
        for task_id, entry in tasks.having(*STOPPED)
    )
