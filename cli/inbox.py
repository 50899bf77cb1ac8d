"""The inbox: everything that waits for a person, with the command that answers it."""

from datetime import UTC, datetime

import typer

from cli import inbox_pages
from cli.client import Client
from cli.console import Json, load_settings, output, print_json
from domain.reading.inbox.item import Inbox

app = typer.Typer()


@app.command()
def inbox(as_json: Json = False) -> None:
    """List everything that waits for you, of all projects, the oldest first, and how to answer it."""
    found = Client(load_settings()).get("/v1/inbox")
    if as_json:
        print_json(found)
        return
    items = Inbox.model_validate(found).items
    output.print(inbox_pages.head(items))
    for item in items:
        output.print()
        # the commands are to be pasted: no line breaks
        output.print(inbox_pages.drawn(item, datetime.now(UTC)), soft_wrap=True)
