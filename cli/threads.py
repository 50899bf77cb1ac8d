"""Threads as a whole: find them, name them, put them away, take over their chats' changes, remove them."""

from textwrap import shorten
from typing import Annotated, Any

import typer
from rich.table import Table

from cli import session_pages, standing
from cli.agent_options import Mode, Option, options_of
from cli.client import Client, CommandError, path_of
from cli.console import (
    USAGE,
    Json,
    ask_for,
    load_settings,
    messages,
    output,
    plain,
    print_json,
    say,
)
from cli.numbers import MAX_NUMBER
from cli.pick import Thread, pick, threads
from cli.statuses import listed_status
from cli.steer import tell
from domain.agents.agents import SessionRole
from domain.core.event import Headline
from domain.reading.views import ThreadView

app = typer.Typer()

_TITLE = 60

Wanted = Annotated[str, typer.Argument(metavar="THREAD")]
Search = Annotated[
    str | None, typer.Option("--search", "-s", help="Words of its id, title or goal.")
]
Status = Annotated[str | None, typer.Option(help="Like running, waiting, failed, completed.")]
Project = Annotated[str | None, typer.Option(help="A repository's folder, or its last name.")]
Archived = Annotated[bool, typer.Option("--archived", help="Those that were put away.")]


@app.command(name="threads")
def list_threads(
    search: Search = None,
    status: Status = None,
    project: Project = None,
    archived: Archived = False,
    as_json: Json = False,
) -> None:
    """List threads, the latest changed first; also `treadle ls`."""
    wanted = {"q": search, "status": status, "project": project}
    filters = {name: value for name, value in wanted.items() if value}
    client = Client(load_settings())
    found = threads(client, archived="true" if archived else "false", **filters)
    if as_json:
        print_json({"threads": [thread.model_dump(mode="json") for thread in found]})
        return
    if not found:
        output.print(_none(is_filtered=bool(filters), is_archived=archived))
    else:
        output.print(_table(found))
    if not filters and not archived:
        _tell_of_flows(client)


def _table(found: list[Headline]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("thread", "status", "project", "title", "waits for"):
        table.add_column(heading, overflow="fold" if heading == "thread" else "ellipsis")
    for thread in found:
        table.add_row(
            thread.stream,
            plain(*listed_status(thread)),
            plain(thread.project.rsplit("/", 1)[-1]),
            plain(shorten(thread.title, _TITLE, placeholder=" …")),
            plain(thread.waiting_for, "yellow"),
            style="dim" if thread.is_archived else "",
        )
    return table


def _tell_of_flows(client: Client) -> None:
    """Say which runs of flows wait for a person, so that one list has all that does."""
    for run in client.get("/v1/flow-runs", status="waiting")["runs"]:
        say(f"{run['run_id']} waits for you, too: treadle flow status {run['run_id']}", "yellow")


def _none(*, is_filtered: bool, is_archived: bool) -> str:
    """Say that no thread is listed, and where else to look."""
    if is_archived:
        return "No archived thread is like that." if is_filtered else "No thread is archived."
    if is_filtered:
        return "No thread is like that; archived ones are listed with --archived."
    return "No threads yet; begin with `treadle run GOAL`."


app.command(name="ls", hidden=True)(list_threads)


@app.command()
def rename(
    thread: Wanted,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="What it is called from now on.")],
    as_json: Json = False,
) -> None:
    """Give a thread a topic of your own."""
    tell(thread, "rename", body={"topic": topic}, as_json=as_json)


@app.command()
def archive(thread: Wanted, as_json: Json = False) -> None:
    """Put a thread away; it stays readable, and what runs goes on."""
    tell(thread, "archive", body={}, as_json=as_json)


@app.command()
def unarchive(thread: Wanted, as_json: Json = False) -> None:
    """Put a thread back among the others."""
    tell(thread, "unarchive", body={}, as_json=as_json)


@app.command()
def delete(
    thread: Wanted,
    force: Annotated[
        bool,
        typer.Option("--force", help="End what runs; remove branches with unmerged work, too."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Remove a thread with its transcripts, worktrees and branches; nothing brings it back."""
    client = Client(load_settings())
    thread_id = pick(client, thread)
    if not yes:
        _ask(client, thread_id)
    answer: dict[str, Any] = client.delete(path_of("threads", thread_id), {"is_forced": force})
    if as_json:
        print_json(answer)
    else:
        say(f"{thread_id}: {answer['message']}")
        if not answer["is_over"]:
            say("It goes on in the background; the same command tells when it is over.")


def _ask(client: Client, thread_id: str) -> None:
    """Ask whether a thread shall be removed.

    Raises:
        CommandError: It shall not.
    """
    if not messages.is_terminal:
        say(f"Add --yes to remove {thread_id} without a question.", style="red")
        raise typer.Exit(USAGE)
    messages.print(standing.details(client.thread(thread_id)))
    if ask_for("Remove it for good? Type yes: ").lower() != "yes":
        raise CommandError("nothing was removed")


@app.command()
def session(
    thread: Thread = None,
    agent: Annotated[str | None, typer.Option(help="The thread's unless given.")] = None,
    model: Annotated[str | None, typer.Option(help="The agent's model.")] = None,
    mode: Mode = None,
    option: Option = None,
    shared: Annotated[
        bool, typer.Option("--shared", help="Work where the thread's other chats do, in turn.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Open one more chat in a thread, with an agent and a model of your choice."""
    client = Client(load_settings())
    thread_id = pick(client, thread)
    body = {
        "agent": agent,
        "model": model,
        "options": options_of(option, mode),
        "has_own_worktree": not shared,
    }
    answer = client.post(path_of("threads", thread_id, "sessions"), body)
    if as_json:
        print_json(answer)
        return
    number = str(answer["data"]["session_id"]).rpartition("-")[2]
    say(f"Session {number} is open: treadle say {thread_id} TEXT --session {number}")


@app.command()
def options(thread: Thread = None, as_json: Json = False) -> None:
    """List the modes, models and other options that the agents of a thread offer."""
    client = Client(load_settings())
    offered = client.get(path_of("threads", pick(client, thread), "offers"))
    if as_json:
        print_json(offered)
        return
    for session in offered:
        output.print(session_pages.offers(session))


@app.command()
def keep(
    thread: Thread = None,
    session: Annotated[
        int | None,
        typer.Option(
            "--session", "-s", min=1, max=MAX_NUMBER, help="The newest chat unless given."
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Merge the newest changes of a chat into the thread's branch."""
    client = Client(load_settings())
    view = client.thread(pick(client, thread))
    number = str(session) if session else _newest_chat(view)
    tell(view.thread_id, "sessions", number, "merge", body={}, as_json=as_json)


def _newest_chat(view: ThreadView) -> str:
    chats = [s.session_id for s in view.sessions if s.role == SessionRole.CHAT]
    if not chats:
        raise CommandError(
            f"{view.thread_id} has no chat session: only a chat's changes can be kept"
        )
    return chats[-1].rpartition("-")[2]
