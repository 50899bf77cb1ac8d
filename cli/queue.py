"""`treadle queue`: what waits for its place, in which order, and how much may run."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from cli import queue_pages
from cli.client import Client, CommandError, path_of
from cli.console import Json, load_settings, output, print_json, say
from cli.folders import whole
from domain.reading.queue import QueueView

app = typer.Typer(invoke_without_command=True, help="What waits for its place, and how much runs.")

Entry = Annotated[str, typer.Argument(metavar="ENTRY", help="Its id, or a part of only one.")]
Priority = Annotated[int, typer.Option(min=1, max=5, help="1 first, 5 last.")]
After = Annotated[
    list[str] | None,
    typer.Option(metavar="ID", help="Start only when this has completed; again for more."),
]
Base = Annotated[
    str | None,
    typer.Option(metavar="ID", help="Wait for this thread, too, and begin at its branch."),
]
Count = Annotated[int | None, typer.Option(min=1, max=1000)]


class Waits(NamedTuple):
    """How something waits."""

    priority: int = 3
    after: Sequence[str] = ()
    base: str | None = None


def put(client: Client, item: dict[str, Any], waits: Waits, *, as_json: bool) -> None:
    """Put one item into the queue, and say where it stands."""
    after = [_id_or_text(client, name) for name in waits.after]
    whole = {**item, "priority": waits.priority, "after": after}
    if waits.base is not None:
        whole["base"] = _id_or_text(client, waits.base)
    said = client.post("/v1/queue", {"items": [whole]})
    if as_json:
        print_json(said)
    else:
        say(f"In the queue: {', '.join(said['entries'])}. See it: treadle queue")


@app.callback()
def show(context: typer.Context, as_json: Json = False) -> None:
    """Show what was started and goes on, what waits in its order and why, and what is over."""
    if context.invoked_subcommand is not None:
        return
    view = _view(Client(load_settings()))
    if as_json:
        print_json(view.model_dump(mode="json"))
    else:
        output.print(queue_pages.page(view))


@app.command()
def add(
    goal: Annotated[str | None, typer.Argument(metavar="GOAL", help="What shall be done.")] = None,
    flow: Annotated[str | None, typer.Option(help="Run this flow instead.")] = None,
    repo: Annotated[Path, typer.Option(help="A git repository.")] = Path(),
    agent: Annotated[str | None, typer.Option(help="The agent that works.")] = None,
    model: Annotated[str | None, typer.Option(help="The agent's model.")] = None,
    template: Annotated[str | None, typer.Option(help="The plan template.")] = None,
    auto: Annotated[bool, typer.Option("--auto", help="Start its plan unasked.")] = False,
    priority: Priority = 3,
    after: After = None,
    base: Base = None,
    as_json: Json = False,
) -> None:
    """Put a goal, or a run of a flow, at the end of those of its priority."""
    if bool(goal) is bool(flow):
        raise CommandError("give either a GOAL or --flow NAME")
    if flow and base:
        raise CommandError("a flow begins where the repository stands: drop --base, use --after")
    client, folder = Client(load_settings()), str(whole(repo))
    chosen = {"agent": agent, "model": model}
    if flow:
        item = {"kind": "flow", "flow": flow, "working_folder": folder, **chosen}
    else:
        planner = {"auto_run": True} if auto else {}
        of_thread = {"repository": folder, "template": template, "planner": planner}
        item = {"goal": goal, **of_thread, **chosen}
    put(client, item, Waits(priority, after or (), base), as_json=as_json)


@app.command()
def hold(
    entry: Annotated[str | None, typer.Argument(metavar="ENTRY", help="All, unless given.")] = None,
    reason: Annotated[str, typer.Option(help="Why.")] = "",
    as_json: Json = False,
) -> None:
    """Do not start an entry, or anything, until it is released; what runs goes on."""
    _tell(entry, "hold", body={"reason": reason}, as_json=as_json)


@app.command()
def release(
    entry: Annotated[str | None, typer.Argument(metavar="ENTRY", help="All, unless given.")] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Though what it waits for has not completed.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Let an entry start: a held, refused or blocked one; or let the whole queue start again."""
    if anyway and entry is None:
        raise CommandError("name the entry that is to start without what it waits for")
    body = {} if entry is None else {"is_anyway": anyway}
    _tell(entry, "release", body=body, as_json=as_json)


@app.command()
def move(
    entry: Entry,
    before: Annotated[
        str | None, typer.Option(metavar="ENTRY", help="In front of this one.")
    ] = None,
    priority: Annotated[int | None, typer.Option(min=1, max=5, help="1 first, 5 last.")] = None,
    as_json: Json = False,
) -> None:
    """Put an entry in front of another, to a priority, or without both to the very front."""
    client = Client(load_settings())
    target = None if before is None else _id_of(client, before)
    _tell(entry, "move", body={"before": target, "priority": priority}, as_json=as_json)


@app.command()
def remove(entry: Entry, as_json: Json = False) -> None:
    """Take an entry out; one that was started goes on without the queue."""
    _tell(entry, "remove", body={}, as_json=as_json)


@app.command()
def limits(
    running: Count = None,
    project: Count = None,
    host: Count = None,
    reviews: Annotated[int | None, typer.Option(min=0, max=10000, help="0 is any number.")] = None,
    default: Annotated[bool, typer.Option("--default", help="What the settings say.")] = False,
    as_json: Json = False,
) -> None:
    """Show the limits, or set some: how much may run, and wait for you, when another starts."""
    client = Client(load_settings())
    wanted = {
        "max_running": running,
        "per_project": project,
        "per_host": host,
        "max_reviews": reviews,
    }
    body: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    if not body and not default:
        said = _view(client).limits.model_dump()
        message = ", ".join(f"{name} {value}" for name, value in said.items())
    else:
        said = client.post("/v1/queue/limits", {**body, "are_default": default})
        message = said["message"]
    if as_json:
        print_json(said)
    else:
        say(message)


def _view(client: Client) -> QueueView:
    return QueueView.model_validate(client.get("/v1/queue"))


def _tell(entry: str | None, verb: str, *, body: dict[str, Any], as_json: bool) -> None:
    client = Client(load_settings())
    place = () if entry is None else (_id_of(client, entry),)
    answer = client.post(path_of("queue", *place, verb), body)
    if as_json:
        print_json(answer)
    else:
        say(answer["message"])


def _id_of(client: Client, text: str) -> str:
    """Return the id of an entry by a part of it.

    Raises:
        CommandError: No entry has it, or several have.
    """
    view = _view(client)
    ids = [shown.entry.entry_id for shown in (*view.entries, *view.over)]
    found = [text] if text in ids else [name for name in ids if text in name]
    if len(found) > 1:
        raise CommandError(f"{text!r} may be any of: {', '.join(found)}")
    if not found:
        raise CommandError(f"no entry of the queue is like {text!r}; `treadle queue` lists them")
    return found[0]


def _id_or_text(client: Client, text: str) -> str:
    """Return what an entry waits for: another entry by a part of its id, else the text as it is.

    Raises:
        CommandError: Several entries have it.
    """
    view = _view(client)
    ids = [shown.entry.entry_id for shown in (*view.entries, *view.over)]
    found = [text] if text in ids else [name for name in ids if text in name]
    if len(found) > 1:
        raise CommandError(f"{text!r} may be any of: {', '.join(found)}")
    return found[0] if found else text
