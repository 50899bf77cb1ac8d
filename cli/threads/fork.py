"""`treadle checkpoints` and `treadle fork`."""

from typing import Annotated, Any

import typer

from cli.core.client import Client, path_of
from cli.core.console import Json, emit, output, plain, say
from cli.core.numbers import MAX_NUMBER
from cli.core.tables import clock, table_of
from cli.core.threads import Thread, ThreadName, connect_to
from cli.core.views import read_thread
from cli.core.works import task_in
from domain.threads.checkpoints import Checkpoint

app = typer.Typer()

At = Annotated[
    int | None,
    typer.Option("--at", min=1, max=MAX_NUMBER, help="A journal position. Default: the newest."),
]
_SHORT = 10


@app.command()
def checkpoints(thread: Thread = None, as_json: Json = False) -> None:
    """List the checkpoints of a thread."""
    client, thread_id = connect_to(thread)
    rows = client.get(path_of("threads", thread_id, "checkpoints"))
    answer = {"thread": thread_id, "checkpoints": rows}
    emit(answer, lambda _: _print(thread_id, rows), as_json=as_json)


def _print(thread_id: str, rows: list[dict[str, Any]]) -> None:
    table = table_of("position", "when", "of", "what", "commit")
    for each in map(Checkpoint.model_validate, rows):
        of = each.session_id if each.session_id and not each.is_of_branch else each.stream
        below = of.removeprefix(thread_id).removeprefix("/") or "branch"
        cells = (clock(each.at), below, each.label, each.commit[:_SHORT])
        table.add_row(str(each.position), *map(plain, cells))
    output.print(table)
    say(f"Start a new thread from one: treadle fork {thread_id} --at POSITION", style="dim")


@app.command()
def fork(
    thread: ThreadName,
    at: At = None,
    stream: Annotated[
        str | None,
        typer.Option(
            "--of", metavar="TASK|SESSION", help="Start from the files of this task or session."
        ),
    ] = None,
    goal: Annotated[str | None, typer.Option(help="A new goal. Default: the same.")] = None,
    agent: Annotated[str | None, typer.Option(help="Another agent.")] = None,
    model: Annotated[str | None, typer.Option(help="Another model.")] = None,
    is_planned: Annotated[
        bool | None,
        typer.Option("--plan/--chat", help="Plan or chat. Default: the same as the original."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Start a new thread from a checkpoint of this one.

    The original thread stays unchanged.
    """
    client, thread_id = connect_to(thread)
    body: dict[str, Any] = {
        "position": at or read_thread(client, thread_id).position,
        "stream": _stream(client, thread_id, stream),
        "goal": goal,
        "agent": agent,
        "model": model,
        "is_planned": is_planned,
    }
    opened = client.post(path_of("threads", thread_id, "forks"), body)
    origin = f"{thread_id} at {body['position']}"
    emit(opened, lambda answer: _say_forked(origin, answer["thread_id"]), as_json=as_json)


def _say_forked(origin: str, thread_id: str) -> None:
    say(f"Thread {thread_id}", style="bold")
    say(f"Forked from {origin}: treadle attach {thread_id}")


def _stream(client: Client, thread_id: str, named: str | None) -> str | None:
    """Return the full name of a task or session; `task-2/session-1` is one of this thread."""
    if named is None or named.startswith(thread_id):
        return named
    task, slash, below = named.partition("/")
    return f"{thread_id}/{task_in(client, thread_id, task)}{slash}{below}"
