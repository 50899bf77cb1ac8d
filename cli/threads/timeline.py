"""`treadle timeline`: when each task of a thread did what."""

from datetime import UTC, datetime
from typing import Annotated

import typer
from rich.console import Group, RenderableType

from cli.core.client import path_of
from cli.core.console import Json, emit, output
from cli.core.long_lists import All
from cli.core.numbers import MAX_NUMBER
from cli.core.threads import Thread, connect_to
from cli.threads import timeline_drawing
from domain.reading.timeline.timeline import Timeline

app = typer.Typer()

Moments = Annotated[
    int,
    typer.Option(
        "--moments", "-n", min=0, max=MAX_NUMBER, help="How many of the newest moments to list."
    ),
]


@app.command()
def timeline(
    thread: Thread = None, moments: Moments = 20, is_whole: All = False, as_json: Json = False
) -> None:
    """Show what each task of a thread did when.

    Of many tasks it shows those that started last. Lists the newest moments with their positions, for `treadle fork --at`.
    """
    client, thread_id = connect_to(thread)
    found = client.get(path_of("threads", thread_id, "timeline"))
    all_by = "" if is_whole else f"treadle timeline {thread_id} --all"
    emit(found, lambda row: _draw(Timeline.model_validate(row), moments, all_by), as_json=as_json)


def _draw(timeline: Timeline, moments: int, all_by: str) -> RenderableType:
    return Group(
        timeline_drawing.lines(timeline, datetime.now(UTC), output.width, all_by),
        timeline_drawing.moments(timeline, moments),
    )
