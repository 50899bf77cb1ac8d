"""The work of a plan without tasks, as commands name it: by its thread alone."""

from domain.core.ids import WORK


def work_or(task: str | None) -> str:
    """Return the task that is meant: without one, the work of a plan without tasks."""
    return task or WORK


def typed_task(task_id: str) -> str:
    """Return a task as it is typed after its thread, with a space before; the work needs no name."""
    return "" if task_id == WORK else f" {task_id}"
