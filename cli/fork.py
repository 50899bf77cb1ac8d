"""Going on from a moment of the past: checkpoints, and forks into threads of their own."""

from typing import Annotated, Any

import typer
from rich.table import Table

from cli.client import Client, path_of
from cli.console import Json, load_settings, output, plain, print_json, say
from cli.numbers import MAX_NUMBER
from cli.pick import Thread, pick
from domain.threads.checkpoints import Checkpoint

app = typer.Typer()

At = Annotated[
    int | None,
    typer.Option(
        "--at", min=1, max=MAX_NUMBER, help="A position of the journal; the newest unless given."
    ),
]
_SHORT = 10


@app.command()
def checkpoints(thread: Thread = None, as_json: Json = False) -> None:
    """List the moments of a thread that can be gone on from, with their positions."""
    client = Client(load_settings())
    thread_id = pick(client, thread)
    rows = client.get(path_of("threads", thread_id, "checkpoints"))
    if as_json:
        print_json({"thread": thread_id, "checkpoints": rows})
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("at", "when", "of", "what", "commit"):
        table.add_column(heading)
    for each in map(Checkpoint.model_validate, rows):
        of = each.session_id if each.session_id and not each.is_of_branch else each.stream
        below = of.removeprefix(thread_id).removeprefix("/") or "branch"
        when = each.at.astimezone().strftime("%d %b %H:%M:%S")
        cells = (when, below, each.label, each.commit[:_SHORT])
        table.add_row(str(each.position), *map(plain, cells))
    output.print(table)
    say(f"treadle fork {thread_id} --at POSITION goes on from one in a new thread.", style="dim")


@app.command()
def fork(
    thread: Annotated[str, typer.Argument(metavar="THREAD")],
    at: At = None,
    stream: Annotated[
        str | None,
        typer.Option("--of", metavar="TASK|SESSION", help="Begin with the files of this one."),
    ] = None,
    goal: Annotated[
        str | None, typer.Option(help="A goal of its own; the same unless given.")
    ] = None,
    agent: Annotated[str | None, typer.Option(help="Another agent.")] = None,
    model: Annotated[str | None, typer.Option(help="Another model.")] = None,
    is_planned: Annotated[
        bool | None,
        typer.Option("--plan/--chat", help="How it begins; as the other one did unless given."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Go on from a moment of a thread in a new one; the old one stays as it is."""
    client = Client(load_settings())
    thread_id = pick(client, thread)
    body: dict[str, Any] = {
        "position": at or client.thread(thread_id).position,
        "stream": _stream(thread_id, stream),
        "goal": goal,
        "agent": agent,
        "model": model,
        "is_planned": is_planned,
    }
    opened = client.post(path_of("threads", thread_id, "forks"), body)
    if as_json:
        print_json(opened)
        return
    say(f"Thread {opened['thread_id']}", style="bold")
    say(f"forked from {thread_id} at {body['position']}: treadle attach {opened['thread_id']}")


def _stream(thread_id: str, named: str | None) -> str | None:
    """Return the whole name of a task or session; `task-2/session-1` stands for one of this thread."""
    is_whole = named is None or named.startswith(thread_id)
    return named if is_whole else f"{thread_id}/{named}"
