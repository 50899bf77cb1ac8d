"""`treadle stop`: the running turn of a session or task ends."""

from collections.abc import Iterator
from typing import Annotated

import typer

from cli.core.client import path_of
from cli.core.console import Json, emit
from cli.core.errors import CommandError
from cli.core.threads import Thread
from cli.core.views import connect_and_read
from cli.core.works import task_called
from domain.reading.views import ThreadView

app = typer.Typer()


@app.command()
def stop(
    thread: Thread = None,
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="SESSION",
            help="Number of a session, or id of a task. Default: the only one at work.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Stop the running turn of a session or task; it then waits for a message."""
    client, view = connect_and_read(thread)
    name = session or _only(view)
    kind = "sessions" if name.isdecimal() else "tasks"
    if kind == "tasks":
        name = task_called(name, (task.task_id for task in view.tasks))
    answer = client.post(path_of("threads", view.thread_id, kind, name, "stop"), {})
    emit(answer, as_json=as_json)


def _only(view: ThreadView) -> str:
    """Return what is at work.

    Raises:
        CommandError: Nothing is, or several are; the message lists them.
    """
    found = [*_at_work(view)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise CommandError(f"no turn is running in {view.thread_id}")
    raise CommandError(f"several turns are running; name one of: {', '.join(found)}")


def _at_work(view: ThreadView) -> Iterator[str]:
    for session in view.sessions:
        if session.is_working:
            yield session.session_id.rpartition("session-")[2]
    for task in view.tasks:
        if any(session.is_working for session in task.sessions):
            yield task.task_id
