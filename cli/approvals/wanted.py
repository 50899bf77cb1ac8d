"""Which of the requests that wait a command names."""

from collections.abc import Iterable

from cli.core.errors import CommandError
from cli.core.works import one_called, task_called
from domain.core.ids import WORK, task_workflow_id
from domain.core.task_names import quoted_task
from domain.reading.views import OpenRequest, ThreadView


def wanted_request(view: ThreadView, name: str | None) -> OpenRequest:
    """Return the request that is meant: of a task or by its own id, each also by a part, or the only one.

    Raises:
        CommandError: None matches, which says what became of it, or several do.
    """
    name = _called(view, name) if name else None
    found = [r for r in view.requests if name in {None, r.request.request_id, r.task_id}]
    if len(found) == 1:
        return found[0]
    if own := _of_candidate(view, name):
        return own
    if not found:
        raise CommandError(_not_waiting(view, name))
    raise CommandError(f"several requests are waiting; name one: {_listed(found)}")


def _of_candidate(view: ThreadView, name: str | None) -> OpenRequest | None:
    """Return the gate of a candidate: it is decided with that of all, but can be sent back alone."""
    for task in view.candidates:
        if task.task_id == name and task.request is not None:
            workflow_id = task_workflow_id(view.thread_id, task.task_id)
            return OpenRequest(request=task.request, workflow_id=workflow_id, task_id=task.task_id)
    return None


def _called(view: ThreadView, name: str) -> str:
    """Return the id that is meant, of a task, else of a request that waits or was answered."""
    tasks = [task.task_id for task in (*view.tasks, *view.candidates)]
    requests = [*view.answered, *(r.request.request_id for r in view.requests if not r.task_id)]
    called = task_called(name, tasks) if name not in requests else name
    return called if called in {*tasks, WORK} else one_called(name, requests, "requests") or name


def _listed(requests: Iterable[OpenRequest]) -> str:
    return ", ".join(str(r.task_id or r.request.request_id) for r in requests)


def _not_waiting(view: ThreadView, name: str | None) -> str:
    """Say why nothing of this name can be approved or rejected."""
    if name in view.answered:
        waiting = ", ".join(r.request.request_id for r in view.requests) or "nothing"
        return (
            f"{name} {view.answered[name]}; {waiting} of {view.thread_id} is waiting for approval"
        )
    task = next((t for t in view.works if t.task_id == name), None)
    if task is None:
        what = f"nothing called {name!r}" if name and name != WORK else "nothing"
        waiting = f"; waiting: {_listed(view.requests)}" if view.requests else ""
        return f"{what} is waiting for approval in {view.thread_id}, {view.status}{waiting}"
    return f"{quoted_task(task.task_id)} is not waiting for approval: it is {task.status}"
