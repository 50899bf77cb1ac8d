"""`treadle inbox`: everything that is waiting for a person."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated

import typer

from cli.approvals import inbox_drawing
from cli.core.client import connect
from cli.core.console import Json, emit, output
from cli.core.sending import send_command
from cli.core.threads import ThreadName
from domain.reading.inbox.item import Inbox, InboxItem

app = typer.Typer()


@app.command()
def inbox(
    is_mine: Annotated[
        bool,
        typer.Option("--mine", help="Only what you may decide, and nobody else is assigned to."),
    ] = False,
    as_json: Json = False,
) -> None:
    """List everything that is waiting for you, oldest first."""
    mine = {"mine": "true"} if is_mine else {}
    found = connect().get("/v1/inbox", **mine)
    emit(found, lambda row: _print(Inbox.model_validate(row).items), as_json=as_json)


@app.command()
def dismiss(thread: ThreadName, as_json: Json = False) -> None:
    """Dismiss from your inbox where you are mentioned in a thread."""
    send_command(thread, "mentions/seen", body={}, as_json=as_json)


def _print(items: Sequence[InboxItem]) -> None:
    output.print(inbox_drawing.head(items))
    for item in items:
        output.print()
        # the commands are to be pasted: no line breaks
        output.print(inbox_drawing.drawn(item, datetime.now(UTC)), soft_wrap=True)
