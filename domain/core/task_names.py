"""How a task is called in a text: by its id, which the work of a plan without tasks has none of."""

from domain.core.ids import WORK

_PULL_REQUEST = "publication/"


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


def typed_task(task_id: str) -> str:
    """Return a task as it is typed after its thread, with a space before; the work needs no name."""
    return "" if task_id == WORK else f" {task_id}"


def place_in_thread(stream: str) -> str:
    """Return where in its thread a stream is: `app/session-1`, `the work`; empty for the thread's own."""
    task, slash, below = stream.partition("/")[2].partition("/")
    return f"{'the work' if task == WORK else task}{slash}{below}"


def workflow_called(workflow_id: str) -> str:
    """Return a workflow as refusals name it: by its id, or like `the work of thread-x`."""
    thread, _, task = workflow_id.partition("/")
    if task.startswith(_PULL_REQUEST):
        return f"pull request #{task.removeprefix(_PULL_REQUEST)} of {thread!r}"
    return f"the work of {thread!r}" if task == WORK else repr(workflow_id)


def quoted_task(task_id: str) -> str:
    """Return `task 'app'`, as refusals name it, or `the work`."""
    return "the work" if task_id == WORK else f"task {task_id!r}"
