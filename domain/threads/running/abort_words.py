"""What is said of an abort of all running tasks."""

from domain.core.ids import TaskId
from domain.core.task_names import task_name
from domain.core.text import counted


def aborted_words(count: int, left: tuple[TaskId, ...]) -> str:
    """Say what an abort of all running tasks does."""
    if not count:
        return (
            f"no task is running; the plan is paused, pending tasks stay pending{left_words(left)}"
        )
    return (
        f"{counted(count, 'running task')} {'is' if count == 1 else 'are'} aborted, pending ones stay "
        f"pending{left_words(left)}; retry what is aborted, then resume"
    )


def left_words(left: tuple[TaskId, ...]) -> str:
    """Say which tasks are done and still wait for approval."""
    if not left:
        return ""
    names = ", ".join(task_name(task_id, "") for task_id in left)
    return f"; {names} {'waits' if len(left) == 1 else 'wait'} for your approval as before"
