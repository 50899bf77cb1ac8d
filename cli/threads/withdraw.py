"""`treadle withdraw`: a queued message, before an agent gets it."""

import contextlib
from typing import Annotated, Any

import click
import typer

from cli.core.client import Client, path_of
from cli.core.console import Json, emit, output, plain, say, whole
from cli.core.errors import CommandError
from cli.core.numbers import MAX_NUMBER
from cli.core.threads import Thread, connect_to
from cli.core.works import task_in
from domain.conversations.messages import WaitingMessage
from domain.core.text import counted

app = typer.Typer()


@app.command(name="withdraw")
def withdraw(
    thread: Thread = None,
    task: Annotated[str | None, typer.Option(help="A message to this task.")] = None,
    session: Annotated[
        int | None,
        typer.Option("--session", "-s", min=1, max=MAX_NUMBER, help="A message to this session."),
    ] = None,
    message: Annotated[
        str | None, typer.Option("--message", "-m", metavar="ID", help="The message with this id.")
    ] = None,
    is_edited: Annotated[
        bool, typer.Option("--edit", "-e", help="Edit it in your editor and send it again.")
    ] = False,
    is_listed: Annotated[
        bool, typer.Option("--list", "-l", help="List queued messages; withdraw none.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Withdraw the newest queued message before an agent gets it.

    It is printed. A message that the agent already has cannot be withdrawn.
    """
    client, thread_id = connect_to(thread)
    task = task_in(client, thread_id, task) if task else None
    waiting = [m for m in _waiting(client, thread_id) if _is_meant(m, task, session)]
    if is_listed:
        return emit(waiting, _list, as_json=as_json)
    taken = _taken(client, thread_id, _chosen(waiting, message))
    if is_edited:
        return _send_again(client, thread_id, taken, as_json=as_json)
    return emit(taken, _print_withdrawn, as_json=as_json)


def _print_withdrawn(message: WaitingMessage) -> None:
    output.print(whole(message.text), soft_wrap=True)
    say("Withdrawn.", style="dim")


def _waiting(client: Client, thread_id: str) -> list[WaitingMessage]:
    found = client.get(path_of("threads", thread_id, "messages"))
    return [WaitingMessage.model_validate(each) for each in found]


def _is_meant(message: WaitingMessage, task: str | None, session: int | None) -> bool:
    is_session = session is None or message.session_id.endswith(f"-{session}")
    return task in {None, message.task_id} and is_session


def _chosen(waiting: list[WaitingMessage], message_id: str | None) -> WaitingMessage:
    if message_id is not None:
        waiting = [message for message in waiting if message.message_id == message_id]
    if not waiting:
        raise CommandError("no such message is queued; list queued messages with --list")
    return waiting[-1]


def _list(waiting: list[WaitingMessage]) -> None:
    for message in waiting:
        whose = message.task_id or message.session_id.rpartition("/")[2]
        files = f"  [{counted(len(message.attachments), 'file')}]" if message.attachments else ""
        first = message.text.strip().partition("\n")[0]
        output.print(plain(f"{message.message_id}  to {whose}: {first}{files}"), soft_wrap=True)
    if not waiting:
        say("No queued messages.")


def _taken(client: Client, thread_id: str, message: WaitingMessage) -> WaitingMessage:
    path = path_of("threads", thread_id, *_place(message), "withdraw")
    return WaitingMessage.model_validate(client.post(path, {"message_id": message.message_id}))


def _place(message: WaitingMessage) -> tuple[str, str]:
    if message.task_id is not None:
        return ("tasks", message.task_id)
    return ("sessions", message.session_id.rpartition("-")[2])


def _send_again(client: Client, thread_id: str, taken: WaitingMessage, *, as_json: bool) -> None:
    """Open a message in the person's editor and send it again, or print it."""
    text = None
    with contextlib.suppress(click.ClickException):  # no editor: it is printed, and not sent
        text = click.edit(taken.text, extension=".md")
    if text is None or not text.strip():
        output.print(whole(taken.text), soft_wrap=True)
        raise CommandError("not sent again: nothing was written. The message is printed above")
    at_task = ("tasks", taken.task_id) if taken.task_id is not None else ()
    body: dict[str, Any] = {
        "text": text.strip(),
        "attachments": [file.model_dump(mode="json") for file in taken.attachments],
        "session_id": taken.session_id,
    }
    try:
        answer = client.post(path_of("threads", thread_id, *at_task, "messages"), body)
    except CommandError:
        output.print(whole(text.strip()), soft_wrap=True)
        raise
    emit(answer, as_json=as_json)
