"""`treadle import`: lists the sessions that an agent has of a repository, and goes on with one as a thread."""

from pathlib import Path
from typing import Annotated, Any

import typer

from cli.agents.commands import checked
from cli.core.console import Json, emit, output, plain, say
from cli.core.errors import CommandError
from cli.core.host_files import FilesOf, HostFiles, files_of
from cli.core.options import Detach, Model, Repo
from cli.core.tables import table_of
from cli.core.works import one_called
from cli.threads.say import print_answer
from domain.agents.checks import CheckKind, CheckResult
from domain.agents.past_sessions import PastSession

app = typer.Typer()

WHERE_ARE_WE = "Say in a few sentences what we did, where we are, and what you would do next. Change nothing yet."
_SHORT = 16


@app.command(name="import")
def import_(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent that has the session.")],
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="SESSION", help="Its id, or a part. Default: list all.", show_default=False
        ),
    ] = None,
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="The next message.", show_default=False)
    ] = None,
    repo: Repo = Path(),
    model: Model = None,
    host: FilesOf = "",
    detach: Detach = False,
    as_json: Json = False,
) -> None:
    """List the sessions that an agent has of a repository, or go on with one as a thread.

    A session is imported once: again it is the same thread.
    """
    files = files_of(repo, host)
    found = checked(CheckKind.SESSIONS, agent, files, as_json=True)
    if not found.is_well:
        raise CommandError(found.failure)
    if session is None:
        emit(found, lambda result: _print(result, agent, files), as_json=as_json)
        return
    chosen = _called(session, found.sessions)
    body = {"agent": agent, "model": model, "host": host, "goal": text or WHERE_ARE_WE}
    _go_on(files, body, chosen, is_left=detach, as_json=as_json)


def _go_on(
    files: HostFiles, body: dict[str, Any], chosen: PastSession, *, is_left: bool, as_json: bool
) -> None:
    continues = {"agent_session": chosen.session_id, "title": chosen.title}
    body = {**body, "repository": files.folder, "continues": continues}
    opened = files.client.post("/v1/threads", body)
    say(f"Thread {opened['thread_id']}", style="bold")
    if is_left:
        emit(
            opened, lambda row: say(f"Watch it: treadle attach {row['thread_id']}"), as_json=as_json
        )
    else:
        print_answer(files.client, opened["thread_id"], opened, after=0, as_json=as_json)


def _called(wanted: str, known: tuple[PastSession, ...]) -> PastSession:
    name = one_called(wanted, (each.session_id for each in known), "sessions")
    found = next((each for each in known if each.session_id == name), None)
    if found is None:
        listed = f"; it has {len(known)}: list them without a name" if known else "; it has none"
        raise CommandError(f"no session {wanted!r} of this repository{listed}")
    return found


def _print(found: CheckResult, agent: str, files: HostFiles) -> None:
    if not found.sessions:
        say(f"{agent} has no sessions of {files.folder}.")
        return
    table = table_of("session", "updated", "title")
    for each in found.sessions:
        table.add_row(plain(each.session_id), plain(each.updated_at[:_SHORT]), plain(each.title))
    output.print(table)
    say(f"Go on with one: treadle import {agent} SESSION{files.options}", style="dim")
