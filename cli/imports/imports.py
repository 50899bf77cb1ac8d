"""`treadle import`: lists the sessions that an agent has of a repository, and goes on with one as a thread."""

from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

import typer

from cli.agents.commands import checked
from cli.core.client import Client, path_of
from cli.core.console import Json, emit, output, plain, say
from cli.core.errors import CommandError, RefusedError
from cli.core.host_files import FilesOf, HostFiles, files_of
from cli.core.options import Detach, Model, Repo
from cli.core.tables import table_of
from cli.core.views import read_thread
from cli.core.works import one_called
from cli.threads.say import print_answer
from domain.agents.checks import CheckKind, CheckResult
from domain.agents.past_sessions import PastSession
from domain.core.ids import imported_thread_id
from domain.reading.views import ThreadView

app = typer.Typer()

WHERE_ARE_WE = "Say in a few sentences what we did, where we are, and what you would do next. Change nothing yet."
_SHORT = 16


@app.command(name="import")
def import_(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="The agent that has the session.")],
    session: Annotated[
        str | None,
        typer.Argument(
            metavar="SESSION",
            help="Session id, or a unique part of it. Default: list all.",
            show_default=False,
        ),
    ] = None,
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT", help="The next message. Default: ask for a summary.", show_default=False
        ),
    ] = None,
    repo: Repo = Path(),
    model: Model = None,
    host: FilesOf = "",
    detach: Detach = False,
    as_json: Json = False,
) -> None:
    """List an agent's sessions in a repository, or continue one as a thread.

    Importing a session again leads to the same thread, and sends TEXT to it.
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
    _go_on(files, body, chosen, text or "", is_left=detach, as_json=as_json)


def _go_on(
    files: HostFiles,
    body: dict[str, Any],
    chosen: PastSession,
    text: str,
    *,
    is_left: bool,
    as_json: bool,
) -> None:
    continues = {"agent_session": chosen.session_id, "title": chosen.title}
    known = _thread_of(files.client, body["agent"], chosen)
    if known is not None and text:
        _say_there(files.client, known, text, is_left=is_left, as_json=as_json)
        return
    if known is not None:
        answered = {"thread_id": known.thread_id, "message": "imported before"}
        emit(answered, lambda row: _tell_of_thread(row["thread_id"]), as_json=as_json)
        return
    body = {**body, "repository": files.folder, "continues": continues}
    opened = files.client.post("/v1/threads", body)
    say(f"Thread {opened['thread_id']}", style="bold")
    if is_left:
        emit(
            opened, lambda row: say(f"Watch it: treadle attach {row['thread_id']}"), as_json=as_json
        )
    else:
        print_answer(files.client, opened["thread_id"], opened, after=0, as_json=as_json)


def _tell_of_thread(thread: str) -> None:
    say(f"Thread {thread}, imported before", style="bold")
    say(f"Watch it: treadle attach {thread}, or give a message with the session", style="dim")


def _thread_of(client: Client, agent: str, session: PastSession) -> ThreadView | None:
    """Return the thread of a session that was imported before."""
    try:
        return read_thread(client, imported_thread_id(agent, session.session_id))
    except RefusedError as error:
        if error.status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
            return None
        raise


def _say_there(
    client: Client, view: ThreadView, text: str, *, is_left: bool, as_json: bool
) -> None:
    """Send the message to the thread: it opens once, with the message of then."""
    thread = view.thread_id
    say(f"Thread {thread}, imported before", style="bold")
    sent = client.post(path_of("threads", thread, "messages"), {"text": text})
    answered = {"thread_id": thread, **sent}
    if is_left or sent.get("data", {}).get("verb"):
        emit(answered, lambda _: say(sent["message"]), as_json=as_json)
    else:
        print_answer(client, thread, answered, after=view.position, as_json=as_json)


def _called(wanted: str, known: tuple[PastSession, ...]) -> PastSession:
    name = one_called(wanted, (each.session_id for each in known), "sessions")
    found = next((each for each in known if each.session_id == name), None)
    if found is None:
        listed = f"; it has {len(known)}: list them without a name" if known else "; it has none"
        raise CommandError(f"no session {wanted!r} in this repository{listed}")
    return found


def _print(found: CheckResult, agent: str, files: HostFiles) -> None:
    if not found.sessions:
        say(f"{agent} has no sessions in {files.folder}.")
        return
    table = table_of("session", "updated", "title")
    for each in found.sessions:
        table.add_row(plain(each.session_id), plain(each.updated_at[:_SHORT]), plain(each.title))
    output.print(table)
    say(f"Continue one: treadle import {agent} SESSION{files.options}", style="dim")
