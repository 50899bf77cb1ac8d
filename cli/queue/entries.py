"""`treadle queue`: waiting work, its order, and how much may run."""

from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import typer

from cli.core.client import Client, connect, path_of
from cli.core.console import Json, emit, say
from cli.core.errors import CommandError
from cli.core.options import Agent, Goal, Labels, Model, OfFlow, OnHost, Priority, Template
from cli.core.repositories import AnyRepo, repository_of
from cli.core.threads import pick
from cli.queue import drawing
from domain.reading.queue import QueueView

app = typer.Typer(
    name="queue",
    invoke_without_command=True,
    help="The queue: waiting work, and how much runs at once.",
)

Entry = Annotated[str, typer.Argument(metavar="ENTRY", help="Entry id, or a unique part of it.")]
After = Annotated[
    list[str] | None,
    typer.Option(
        metavar="ID", help="Start only after this has completed (part of its id); repeatable."
    ),
]
Base = Annotated[
    str | None,
    typer.Option(
        metavar="ID", help="Wait for this thread (part of its id) and start from its branch."
    ),
]


class Waits(NamedTuple):
    """The priority of an entry, and what it waits for."""

    priority: int = 3
    after: Sequence[str] = ()
    base: str | None = None


def put(client: Client, item: dict[str, Any], waits: Waits, *, as_json: bool) -> None:
    """Add one item to the queue, and print its id."""
    after = [_awaited(client, name) for name in waits.after]
    entry = {**item, "priority": waits.priority, "after": after}
    if waits.base is not None:
        entry["base"] = _awaited(client, waits.base)
    answer = client.post("/v1/queue", {"items": [entry]})
    emit(answer, _print_queued, as_json=as_json)


def _print_queued(answer: dict[str, Any]) -> None:
    say(f"Queued: {', '.join(answer['entries'])}. See its progress: treadle queue")


@app.callback()
def show(context: typer.Context, as_json: Json = False) -> None:
    """Show running, waiting and recently finished entries."""
    if context.invoked_subcommand is not None:
        return
    view = _view(connect())
    emit(view, drawing.page, as_json=as_json)


@app.command()
def add(
    goal: Goal = None,
    flow: OfFlow = None,
    repo: AnyRepo = ".",
    agent: Agent = None,
    model: Model = None,
    template: Template = None,
    auto: Annotated[bool, typer.Option("--auto", help="Start its plan without asking.")] = False,
    priority: Priority = 3,
    after: After = None,
    base: Base = None,
    host: OnHost = "",
    label: Labels = None,
    as_json: Json = False,
) -> None:
    """Add a goal or a flow run to the queue."""
    if bool(goal) is bool(flow):
        raise CommandError("give either a GOAL or --flow NAME")
    if flow and base:
        raise CommandError(
            "a flow cannot start from a thread's branch: use --after instead of --base"
        )
    repository = repository_of(repo)
    client = connect()
    chosen = {"agent": agent, "model": model, "host": host, "labels": label or []}
    if flow:
        item = {"kind": "flow", "flow": flow, "working_folder": repository, **chosen}
    else:
        planner = {"auto_run": True} if auto else {}
        of_thread = {"repository": repository, "template": template, "planner": planner}
        item = {"goal": goal, **of_thread, **chosen}
    put(client, item, Waits(priority, after or (), base), as_json=as_json)


@app.command()
def hold(
    entry: Annotated[
        str | None, typer.Argument(metavar="ENTRY", help="Entry id. Default: the whole queue.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why it is held, shown in the queue.")] = "",
    as_json: Json = False,
) -> None:
    """Hold an entry or the whole queue until it is released; running work continues."""
    _send(entry, "hold", body={"reason": reason}, as_json=as_json)


@app.command()
def release(
    entry: Annotated[
        str | None, typer.Argument(metavar="ENTRY", help="Entry id. Default: the whole queue.")
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Start it even if its dependencies have not completed.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Release a held, refused or blocked entry, or the whole queue."""
    if anyway and entry is None:
        raise CommandError("--anyway needs an entry")
    body = {} if entry is None else {"is_anyway": anyway}
    _send(entry, "release", body=body, as_json=as_json)


@app.command()
def move(
    entry: Entry,
    before: Annotated[
        str | None, typer.Option(metavar="ENTRY", help="Move it before this entry.")
    ] = None,
    priority: Annotated[
        int | None, typer.Option(min=1, max=5, help="Priority from 1 (first) to 5 (last).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Move an entry before another, to a priority, or by default to the front."""
    client = connect()
    target = None if before is None else _id_of(client, before)
    _send(entry, "move", body={"before": target, "priority": priority}, as_json=as_json)


@app.command()
def remove(entry: Entry, as_json: Json = False) -> None:
    """Remove an entry; if it has started, it continues outside of the queue."""
    _send(entry, "remove", body={}, as_json=as_json)


@app.command()
def limits(
    running: Annotated[
        int | None, typer.Option(min=1, max=1000, help="Threads and flow runs at once.")
    ] = None,
    project: Annotated[
        int | None, typer.Option(min=1, max=1000, help="The same, for one repository.")
    ] = None,
    host: Annotated[
        int | None, typer.Option(min=1, max=1000, help="The same, for one host.")
    ] = None,
    reviews: Annotated[
        int | None,
        typer.Option(min=0, max=10000, help="Requests waiting for you; 0 for no limit."),
    ] = None,
    default: Annotated[bool, typer.Option("--default", help="Reset to the settings.")] = False,
    as_json: Json = False,
) -> None:
    """Show or set how much may run and wait for you before another entry starts."""
    client = connect()
    wanted = {
        "max_running": running,
        "per_project": project,
        "per_host": host,
        "max_reviews": reviews,
    }
    body: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    if not body and not default:
        answer = _view(client).limits.model_dump()
        message = ", ".join(f"{name} {value}" for name, value in answer.items())
    else:
        answer = client.post("/v1/queue/limits", {**body, "are_default": default})
        message = answer["message"]
    emit(answer, lambda _: say(message), as_json=as_json)


def _view(client: Client) -> QueueView:
    return QueueView.model_validate(client.get("/v1/queue"))


def _send(entry: str | None, verb: str, *, body: dict[str, Any], as_json: bool) -> None:
    client = connect()
    place = () if entry is None else (_id_of(client, entry),)
    answer = client.post(path_of("queue", *place, verb), body)
    emit(answer, as_json=as_json)


def _id_of(client: Client, text: str) -> str:
    """Return the id of an entry by a part of it.

    Raises:
        CommandError: No entry matches, or several do.
    """
    if (found := _matching(client, text)) is None:
        raise CommandError(f"no queue entry matches {text!r}; list them with `treadle queue`")
    return found


def _awaited(client: Client, text: str) -> str:
    """Return the id of the entry or the thread that is meant, by a part of it.

    Raises:
        CommandError: Several match.
        NoSuchThreadError: None does, and it cannot be a flow run.
    """
    found = _matching(client, text)
    return found or (text if text.startswith("flow-") else pick(client, text))


def _matching(client: Client, text: str) -> str | None:
    """Return the id of an entry by a part of it; None if no entry matches.

    Raises:
        CommandError: Several entries match.
    """
    view = _view(client)
    ids = [shown.entry.entry_id for shown in (*view.entries, *view.over)]
    found = [text] if text in ids else [name for name in ids if text in name]
    if len(found) > 1:
        raise CommandError(f"{text!r} matches several entries: {', '.join(found)}")
    return found[0] if found else None
