"""One command to a thread, or to one of its tasks."""

from typing import Any

from cli.core.client import path_of
from cli.core.console import emit
from cli.core.threads import connect_to
from cli.core.works import task_in


def send_command(thread: str | None, *path: str, body: dict[str, Any], as_json: bool) -> None:
    """Send one command to a thread, or to the task that a part of its id names, and print the answer."""
    client, thread_id = connect_to(thread)
    match path:
        case ("tasks", task, *more):
            path = ("tasks", task_in(client, thread_id, task), *more)
        case _:
            pass
    emit(client.post(path_of("threads", thread_id, *path), body), as_json=as_json)
