"""`treadle files`: the files of a session's or task's worktree."""

from typing import Annotated

import typer

from cli.core.client import Client, path_of
from cli.core.console import Json, emit, output, plain, say
from cli.core.errors import CommandError
from cli.core.options import Session
from cli.core.threads import ThreadName, connect_to
from cli.core.views import read_thread
from cli.core.works import task_in
from domain.agents.mentions import mention
from domain.core.file_queries import FoundFiles

app = typer.Typer()


@app.command()
def files(
    thread: ThreadName,
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="Part of a name or path.", show_default=False)
    ] = "",
    task: Annotated[str | None, typer.Option(help="Search this task's worktree.")] = None,
    session: Session = None,
    most: Annotated[
        int, typer.Option("--limit", "-n", min=1, max=1000, help="Maximum number of results.")
    ] = 50,
    as_json: Json = False,
) -> None:
    """Find files by name, to mention in a message: `treadle say T "read @FILE"`.

    Searches tracked and new files that are not ignored; best matches first.
    """
    client, thread_id = connect_to(thread)
    task = task_in(client, thread_id, task) if task else None
    place = ("tasks", task) if task else ("sessions", str(session or _newest(client, thread_id)))
    path = path_of("threads", thread_id, *place, "files")
    answer = client.get(path, query=query, limit=most)
    emit(answer, lambda row: _print(FoundFiles.model_validate(row), query), as_json=as_json)


def _print(found: FoundFiles, query: str) -> None:
    for name in found.paths:
        output.print(plain(mention(name)), soft_wrap=True)
    if left := found.total - len(found.paths):
        say(f"… and {left} more; narrow the query", style="dim")
    if not found.total:
        say(f"No files match {query!r}." if query else "No files yet.")


def _newest(client: Client, thread_id: str) -> str:
    sessions = read_thread(client, thread_id).sessions
    open_ones = [session for session in sessions if not session.is_archived] or list(sessions)
    if not open_ones:
        raise CommandError("this thread has no session: name a task with --task")
    return open_ones[-1].session_id.rpartition("-")[2]
