"""The timeline of a thread: its tasks by the clock, and the moments to go back to."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from cli import timeline_pages
from cli.client import Client, path_of
from cli.console import Json, load_settings, output, print_json
from cli.numbers import MAX_NUMBER
from cli.pick import Thread, pick
from domain.reading.timeline.timeline import Timeline

app = typer.Typer()

Moments = Annotated[
    int,
    typer.Option("--moments", "-n", min=0, max=MAX_NUMBER, help="How many of the newest moments."),
]


@app.command()
def timeline(thread: Thread = None, moments: Moments = 20, as_json: Json = False) -> None:
    """Show when each task of a thread did what, and the positions that one can go back to."""
    client = Client(load_settings())
    found = client.get(path_of("threads", pick(client, thread), "timeline"))
    if as_json:
        print_json(found)
        return
    shown = Timeline.model_validate(found)
    output.print(timeline_pages.lines(shown, datetime.now(UTC), output.width))
    output.print(timeline_pages.moments(shown, moments))
