"""Renaming, archiving and deleting threads."""

from typing import Annotated, Any

import typer

from cli.core.client import Client, path_of
from cli.core.console import USAGE, Json, ask_for, emit, messages, say
from cli.core.errors import CommandError
from cli.core.sending import send_command
from cli.core.threads import ThreadName, connect_to
from cli.core.views import read_thread
from cli.threads import status

app = typer.Typer()


@app.command()
def rename(
    thread: ThreadName,
    topic: Annotated[str, typer.Argument(metavar="TOPIC", help="The new name.")],
    as_json: Json = False,
) -> None:
    """Rename a thread."""
    send_command(thread, "rename", body={"topic": topic}, as_json=as_json)


@app.command()
def assign(
    thread: ThreadName,
    person: Annotated[str, typer.Argument(metavar="[PERSON]", help="Nobody without one.")] = "",
    as_json: Json = False,
) -> None:
    """Assign a thread to a person, whose inbox has it then."""
    send_command(thread, "assign", body={"person": person}, as_json=as_json)


@app.command()
def archive(thread: ThreadName, as_json: Json = False) -> None:
    """Archive a thread; it stays readable, and running work continues."""
    send_command(thread, "archive", body={}, as_json=as_json)


@app.command()
def unarchive(thread: ThreadName, as_json: Json = False) -> None:
    """Unarchive a thread."""
    send_command(thread, "unarchive", body={}, as_json=as_json)


@app.command()
def delete(
    thread: ThreadName,
    force: Annotated[
        bool,
        typer.Option("--force", help="Stop running work, and delete branches with unmerged work."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")] = False,
    as_json: Json = False,
) -> None:
    """Delete a thread with its transcripts, worktrees and branches.

    This cannot be undone.
    """
    client, thread_id = connect_to(thread)
    if not yes:
        _confirm(client, thread_id)
    answer: dict[str, Any] = client.delete(path_of("threads", thread_id), {"is_forced": force})
    emit(answer, lambda answer: _say_deleted(thread_id, answer), as_json=as_json)


def _say_deleted(thread_id: str, answer: dict[str, Any]) -> None:
    say(f"{thread_id}: {answer['message']}")
    if not answer["is_over"]:
        say("It continues in the background; run the same command again to check.")


def _confirm(client: Client, thread_id: str) -> None:
    """Ask whether to delete a thread.

    Raises:
        CommandError: The answer was no.
    """
    if not messages.is_terminal:
        say(f"Add --yes to delete {thread_id} without confirmation.", style="red")
        raise typer.Exit(USAGE)
    messages.print(status.details(read_thread(client, thread_id)))
    if ask_for("Delete it permanently? Type yes: ").lower() != "yes":
        raise CommandError("nothing was deleted")
