"""`treadle export`: a whole thread as a file, to be read or to be kept."""

import contextlib
import secrets
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.client import Client, CommandError, path_of
from cli.console import escaped_json, load_settings, say
from cli.pick import Thread, pick

app = typer.Typer()

Format = Annotated[
    Literal["md", "json"], typer.Option("--format", help="Markdown, or JSON that loses nothing.")
]
Target = Annotated[
    Path | None, typer.Option("--output", "-o", help="A file; standard output unless given.")
]


@app.command()
def export(thread: Thread = None, form: Format = "md", file: Target = None) -> None:
    """Write down a whole thread: goal, plans, decisions, tasks, transcripts, changes."""
    client = Client(load_settings())
    thread_id = pick(client, thread)
    pieces = client.pieces(path_of("threads", thread_id, "export"), format=form)
    if form == "json":
        pieces = map(escaped_json, pieces)
    if file is None:
        for piece in pieces:
            sys.stdout.write(piece)
        return
    _write(file, pieces)
    say(f"Written: {file}")


def _write(file: Path, pieces: Iterable[str]) -> None:
    """Put pieces into a file that appears when it is whole.

    Raises:
        CommandError: It cannot be written.
    """
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with draft.open("x", encoding="utf-8") as out:
            out.writelines(pieces)
        draft.replace(file)
    except OSError as error:
        raise CommandError(f"{file} cannot be written: {error.strerror}") from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
