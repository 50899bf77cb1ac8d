"""`treadle retry-set-up` and `treadle skip-set-up`."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.console import Json
from cli.core.folders import BadPathError, folder_of
from cli.core.sending import send_command
from cli.core.threads import Thread

app = typer.Typer()


@app.command(name="retry-set-up")
def retry_set_up(
    thread: Thread = None,
    recipe: Annotated[
        Path | None, typer.Option(help="A recipe for this thread. Default: the one it has.")
    ] = None,
    repo: Annotated[
        Path | None, typer.Option(help="Take the recipe of this repository as it is now.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Set the workspaces of a thread up again, also by a changed recipe."""
    body = {
        "text": _text(recipe) if recipe else None,
        "repository": folder_of(repo) if repo else None,
    }
    send_command(thread, "set-up", "retry", body=body, as_json=as_json)


@app.command(name="skip-set-up")
def skip_set_up(thread: Thread = None, as_json: Json = False) -> None:
    """Start the tasks of a thread without setting their workspaces up."""
    send_command(thread, "set-up", "skip", body={}, as_json=as_json)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BadPathError(f"{file} cannot be read: {error}") from error
