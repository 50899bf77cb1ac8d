"""`treadle dismiss`: mentions that one has seen."""

import typer

from cli.core.console import Json
from cli.core.sending import send_command
from cli.core.threads import ThreadName

app = typer.Typer()


@app.command()
def dismiss(thread: ThreadName, as_json: Json = False) -> None:
    """Dismiss from your inbox where you are mentioned in a thread."""
    send_command(thread, "mentions/seen", body={}, as_json=as_json)
