"""`treadle threads`: the list of threads."""

from textwrap import shorten
from typing import Annotated

import typer
from rich.console import RenderableType
from rich.table import Table

from cli.core.client import Client, connect
from cli.core.console import Json, emit, plain, say
from cli.core.threads import ThreadRow, fetch_threads
from domain.threads.planning.words import UNPLANNED

app = typer.Typer()

STATUS_STYLES = {"completed": "green", "waiting": "yellow", "failed": "red", "running": "cyan"}
_TITLE = 60

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
    wanted = {"q": search, "status": status, "project": project}
    filters = {name: value for name, value in wanted.items() if value}
    client = connect()
    rows = fetch_threads(client, archived="true" if archived else "false", **filters)
    emit({"threads": rows}, lambda _: _list(rows, is_archived=archived, **filters), as_json=as_json)
    if not (as_json or filters or archived):
        _name_waiting_flows(client)


app.command(name="ls", hidden=True)(threads)


def _list(rows: list[ThreadRow], *, is_archived: bool, **filters: str) -> RenderableType:
    if rows:
        return _table(rows)
    if is_archived:
        return plain(f"No archived threads{' match' if filters else ''}.")
    if filters:
        return plain("No threads match; try --archived.")
    return plain("No threads yet. Start one with `treadle run GOAL`.")


def _table(rows: list[ThreadRow]) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2))
    for heading in ("thread", "status", "project", "title", "waiting for"):
        table.add_column(heading, overflow="fold" if heading == "thread" else "ellipsis")
    for row in rows:
        table.add_row(
            row["stream"],
            plain(*_status(row)),
            plain(row["project"].rsplit("/", 1)[-1]),
            plain(shorten(row["title"], _TITLE, placeholder=" …")),
            plain(row["waiting_for"], "yellow"),
            style="dim" if row["is_archived"] else "",
        )
    return table


def _status(row: ThreadRow) -> tuple[str, str]:
    """Return a thread's status and its style; failed planning is waiting for another attempt."""
    if row["status"] == "failed" and row["waiting_for"].startswith(UNPLANNED):
        return "waiting for you", STATUS_STYLES["waiting"]
    return row["status"], STATUS_STYLES.get(row["status"], "")


def _name_waiting_flows(client: Client) -> None:
    """Name the flow runs that are waiting for a person, which are no threads."""
    for run in client.get("/v1/flow-runs", status="waiting")["runs"]:
        say(f"{run['run_id']} is waiting for you: treadle flow status {run['run_id']}", "yellow")
