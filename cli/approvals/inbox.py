"""`treadle inbox`: everything that is waiting for a person."""

from collections.abc import Sequence
from datetime import UTC, datetime

import typer

from cli.approvals import inbox_drawing
from cli.core.client import connect
from cli.core.console import Json, emit, output
from domain.reading.inbox.item import Inbox, InboxItem

app = typer.Typer()


@app.command()
def inbox(as_json: Json = False) -> None:
    """List everything that is waiting for you, oldest first."""
    found = connect().get("/v1/inbox")
    emit(found, lambda row: _print(Inbox.model_validate(row).items), as_json=as_json)


def _print(items: Sequence[InboxItem]) -> None:
    output.print(inbox_drawing.head(items))
    for item in items:
        output.print()
        # the commands are to be pasted: no line breaks
        output.print(inbox_drawing.drawn(item, datetime.now(UTC)), soft_wrap=True)
