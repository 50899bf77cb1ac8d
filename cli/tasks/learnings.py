"""Context and learnings of a task as they are drawn on a terminal."""

from rich.console import Group, RenderableType

from cli.core.console import plain
from domain.reading.views import TaskView
from domain.tasks.learnings import Learning


def known(task: TaskView) -> RenderableType:
    """Draw what was added to a task's prompt, and its own learnings."""
    parts: list[RenderableType] = []
    if task.context:
        parts += [plain("Added context:", "bold"), *(plain(f"  {text}") for text in task.context)]
    if task.learnings:
        parts += [plain("Learnings it received:", "bold")]
        parts += [plain(f"  from task {each.task_id}: {_line(each)}") for each in task.learnings]
    if task.learned:
        parts += [plain("Its learnings:", "bold"), *(plain(f"  {_line(e)}") for e in task.learned)]
    return Group(*parts)


def _line(learning: Learning) -> str:
    return f"{learning.learning.phrase}: {' '.join(learning.text.split())}"
