"""`treadle threads`: the list of threads."""

from textwrap import shorten
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Table

from cli.core.client import Client, connect
from cli.core.console import Json, emit, output, plain, say
from cli.core.options import given
from cli.core.tables import table_of
from cli.core.threads import ThreadRow, fetch_threads
from domain.core.amounts import cost_words
from domain.core.status_words import shown_status, status_words

app = typer.Typer()

STATUS_STYLES = {"completed": "green", "waiting": "yellow", "failed": "red", "running": "cyan"}
_TITLE = 60
_WAITING = 100

Search = Annotated[
    str | None, typer.Option("--search", "-s", help="Words in the id, title or goal.")
]
Status = Annotated[
    str | None, typer.Option(help="Filter by status: running, waiting, failed, completed …")
]
Project = Annotated[
    str | None, typer.Option(help="Filter by repository: its path, or the last part of it.")
]
Archived = Annotated[bool, typer.Option("--archived", help="List archived threads instead.")]


@app.command(name="threads")
def threads(
    search: Search = None,
    status: Status = None,
    project: Project = None,
    archived: Archived = False,
    as_json: Json = False,
) -> None:
    """List threads, most recently changed first (alias: `ls`)."""
    filters = given(q=search, status=status, project=project)
    client = connect()
    rows = fetch_threads(client, archived="true" if archived else "false", **filters)

    def draw(_: object) -> None:
        output.print(_list(rows, is_archived=archived, is_filtered=bool(filters)))
        if not (filters or archived):
            _name_waiting_flows(client)

    emit({"threads": rows}, draw, as_json=as_json)


app.command(name="ls", hidden=True)(threads)


def _list(rows: list[ThreadRow], *, is_archived: bool, is_filtered: bool) -> RenderableType:
    if rows:
        return _table(rows)
    if is_archived:
        return plain(f"No archived threads{' match' if is_filtered else ''}.")
    if is_filtered:
        return plain("No threads match; try --archived.")
    return plain("No threads yet. Start one with `treadle run GOAL`.")


def _table(rows: list[ThreadRow]) -> Table:
    table = table_of(
        "thread", "status", "project", "title", "cost", "waiting for", folded=["thread"]
    )
    for row in rows:
        table.add_row(
            row["stream"],
            plain(*_status(row)),
            plain(row["project"].rsplit("/", 1)[-1]),
            plain(_title(row)),
            plain(_cost(row.get("money") or {})),
            plain(shorten(row["waiting_for"], _WAITING, placeholder=" …"), "yellow"),
            style="dim" if row["is_archived"] else "",
        )
    return table


def _cost(money: dict[str, int]) -> str:
    """Return what a thread cost; an older server does not say."""
    spent = money.get("told", 0) + money.get("priced", 0)
    return cost_words(spent, *(money.get(n, 0) for n in ("unknown", "included", "included_turns")))


def _title(row: ThreadRow) -> str:
    """Return what a thread is called, with the issue that it comes from, or the program that opened it."""
    title, issue = shorten(row["title"], _TITLE, placeholder=" …"), row.get("issue")
    origin = issue["key"] if issue else row.get("opened_by")
    return f"{title} ({origin})" if origin else title


def _status(row: ThreadRow) -> tuple[str, str]:
    """Return a thread's status in words, and its style."""
    standing = row["status"], row["waiting_for"]
    return status_words(*standing), STATUS_STYLES.get(shown_status(*standing), "")


def _name_waiting_flows(client: Client) -> None:
    """List the flow runs that are waiting for a person, as they are not among threads."""
    for run in client.get("/v1/flow-runs", status="waiting")["runs"]:
        say(f"{run['run_id']} is waiting for you: treadle flow status {run['run_id']}", "yellow")
