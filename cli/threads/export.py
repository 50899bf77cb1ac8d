"""`treadle export`: a whole thread as a file."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.core.client import path_of
from cli.core.console import escaped_json, pass_on, say
from cli.core.files import write_whole
from cli.core.threads import Thread, connect_to

app = typer.Typer()

Format = Annotated[
    Literal["md", "json"], typer.Option("--format", help="Markdown, or lossless JSON.")
]
Target = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Write to this file. Default: standard output."),
]


@app.command()
def export(thread: Thread = None, form: Format = "md", file: Target = None) -> None:
    """Export a thread: goal, plans, decisions, tasks, transcripts, changes."""
    client, thread_id = connect_to(thread)
    pieces = client.pieces(path_of("threads", thread_id, "export"), format=form)
    if form == "json":
        pieces = map(escaped_json, pieces)
    if file is None:
        for piece in pieces:
            pass_on(piece)
        return
    write_whole(file, pieces)
    say(f"Wrote {file}")
