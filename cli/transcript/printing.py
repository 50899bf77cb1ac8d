"""Printing the events of a thread or flow run."""

from contextlib import suppress
from typing import Any

from cli.core.client import Client
from cli.core.console import output, print_json
from cli.core.streams import followed
from cli.transcript.transcript import Transcript

PAGE = 500
LAST = 2**53 - 1
"""Behind every position."""


def print_events(client: Client, path: str, after: int, *, follow: bool, as_json: bool) -> None:
    """Print the events at a path after a position, and new ones until it is interrupted."""
    transcript = Transcript()
    while rows := client.get(path, after=after)["events"]:
        for row in rows:
            _print_event(row, transcript, as_json=as_json)
            after = row["position"]
    if follow:
        with suppress(KeyboardInterrupt):
            for row in followed(client, f"{path}/stream", after):
                _print_event(row, transcript, as_json=as_json)


def before_newest(client: Client, path: str, count: int) -> int:
    """Return the position after which there are so many events at a path, or all where there are fewer."""
    before, left = LAST, count
    while left > 0:
        rows = client.get(path, before=before, limit=min(left, PAGE))["events"]
        if not rows:
            break
        before, left = rows[0]["position"], left - len(rows)
    return 0 if left > 0 else before - 1


def _print_event(row: dict[str, Any], transcript: Transcript, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
    elif drawn := transcript.draw(row):
        output.print(drawn)
