"""The candidates of tasks that several agents do at once, among the tasks of a plan."""

from collections.abc import Mapping

from domain.core.ids import TaskId
from domain.threads.running.plan_tasks import PlanTasks
from domain.threads.running.state import ThreadTask


def with_candidates(
    tasks: Mapping[TaskId, ThreadTask], before: PlanTasks | None = None
) -> PlanTasks:
    """Return tasks with the candidates of those that several agents do, each behind its task.

    Candidates that were there `before` stay as they are, as far as their task is the same.
    """
    found: dict[TaskId, ThreadTask] = {}
    for name, entry in tasks.items():
        found[name] = entry
        earlier = before.get(name) if before is not None else None
        if before is not None and earlier is not None and earlier.task == entry.task:
            found.update(before.candidates_of(name))
        else:
            found.update((each.id, ThreadTask(task=each)) for each in entry.task.candidates)
    return PlanTasks.of(found)
