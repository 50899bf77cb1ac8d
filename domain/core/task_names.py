"""How a task is called in a text: by its id, which the work of a plan without tasks has none of."""

from domain.core.ids import WORK


def task_name(task_id: str, word: str = "task") -> str:
    """Return `task app`, or `the work` for that of a plan without tasks; an upper case `word` begins a line.

    >>> task_name("app", "Task")
    'Task app'
    >>> task_name(WORK, "Task")
    'The work'
    """
    if task_id != WORK:
        return f"{word} {task_id}".strip()
    return "The work" if word[:1].isupper() else "the work"
