"""Which of the requests that wait a command names."""

from cli.core.errors import CommandError
from cli.core.works import task_called
from domain.core.ids import WORK
from domain.core.task_names import quoted_task
from domain.reading.views import OpenRequest, ThreadView


def wanted_request(view: ThreadView, name: str | None) -> OpenRequest:
    """Return the request that is meant: of a task, by its own id, or the only one.

    Raises:
        CommandError: None matches, which says what became of it, or several do.
    """
    called = task_called(name, (task.task_id for task in view.tasks)) if name else None
    found = [r for r in view.requests if _is_meant(r, name, called)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise CommandError(_not_waiting(view, name, called))
    listed = ", ".join(str(r.task_id or r.request.request_id) for r in found)
    raise CommandError(f"several requests are waiting; name one: {listed}")


def _is_meant(request: OpenRequest, name: str | None, called: str | None) -> bool:
    return name is None or name == request.request.request_id or called == request.task_id


def _not_waiting(view: ThreadView, name: str | None, called: str | None) -> str:
    """Say why nothing of this name can be approved or rejected."""
    if name in view.answered:
        waiting = ", ".join(r.request.request_id for r in view.requests) or "nothing"
        return (
            f"{name} {view.answered[name]}; {waiting} of {view.thread_id} is waiting for approval"
        )
    task = next((t for t in view.works if t.task_id == called), None)
    if task is None:
        where = f"task {name!r}" if name and name != WORK else "this thread"
        return f"nothing in {where} is waiting for approval ({view.thread_id}: {view.status})"
    return f"{quoted_task(task.task_id)} is not waiting for approval: it is {task.status}"
