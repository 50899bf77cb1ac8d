"""The command that finds files of a session's or a task's worktree."""

from typing import Annotated

import typer

from cli.client import Client, CommandError, path_of
from cli.console import Json, load_settings, output, plain, print_json, say
from cli.numbers import MAX_NUMBER
from cli.pick import pick
from domain.agents.mentions import mention
from domain.core.file_queries import FoundFiles

app = typer.Typer()


@app.command()
def files(
    thread: Annotated[str, typer.Argument(metavar="THREAD")],
    query: Annotated[
        str, typer.Argument(metavar="QUERY", help="A part of a name or a path.", show_default=False)
    ] = "",
    task: Annotated[str | None, typer.Option(help="Those of this task.")] = None,
    session: Annotated[
        int | None,
        typer.Option(
            "--session",
            "-s",
            min=1,
            max=MAX_NUMBER,
            help="Those of this session; else the newest's.",
        ),
    ] = None,
    most: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many.")] = 50,
    as_json: Json = False,
) -> None:
    """Find files that an agent works with, as a message names them: `treadle say T "read @FILE"`.

    Those that git knows, and new ones that are not ignored; the ones that fit best come first.
    """
    client = Client(load_settings())
    thread_id = pick(client, thread)
    place = ("tasks", task) if task else ("sessions", str(session or _newest(client, thread_id)))
    path = path_of("threads", thread_id, *place, "files")
    answer = client.get(path, query=query, limit=most)
    if as_json:
        print_json(answer)
        return
    found = FoundFiles.model_validate(answer)
    for name in found.paths:
        output.print(plain(mention(name)), soft_wrap=True)
    if left := found.total - len(found.paths):
        say(f"and {left} more: say more of the name", style="dim")
    if not found.total:
        say(f"no file fits {query!r}" if query else "there is no file yet")


def _newest(client: Client, thread_id: str) -> str:
    sessions = client.thread(thread_id).sessions
    open_ones = [session for session in sessions if not session.is_archived] or list(sessions)
    if not open_ones:
        raise CommandError("this thread has no session: name a task with --task")
    return open_ones[-1].session_id.rpartition("-")[2]
