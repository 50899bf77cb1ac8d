"""Printing the events of a thread or flow run."""

from contextlib import suppress
from typing import Any

from cli.core.client import Client
from cli.core.console import output, print_json
from cli.core.streams import followed
from cli.transcript.transcript import Transcript


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


def _print_event(row: dict[str, Any], transcript: Transcript, *, as_json: bool) -> None:
    if as_json:
        print_json(row)
    elif drawn := transcript.draw(row):
        output.print(drawn)
