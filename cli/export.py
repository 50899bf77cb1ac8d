"""`treadle export`: a whole thread as a file, to be read or to be kept."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cli.client import Client, path_of
from cli.console import escaped_json, load_settings, pass_on, say
from cli.pick import Thread, pick
from cli.whole_files import write_whole

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
            pass_on(piece)
        return
    write_whole(file, pieces)
    say(f"Written: {file}")
