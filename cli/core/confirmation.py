"""Binding an answer to what a person has reviewed: by a hash, or by a confirmation."""

import sys
from dataclasses import dataclass
from typing import Annotated

import typer
from rich.console import RenderableType

from cli.core.console import USAGE, confirmed, messages, say
from cli.core.errors import CommandError

Hash = Annotated[
    str | None,
    typer.Option("--hash", help="Only if the request has this content hash (a prefix is enough)."),
]

UNSEEN = "unseen"
"""A hash that matches nothing, so that an answer does not apply to a later request."""


@dataclass(frozen=True)
class Picture:
    """A request as it was read, with its hash."""

    content_hash: str
    drawn: RenderableType
    title: str
    look: str
    """The command that shows it again."""


def is_watched() -> bool:
    """Tell whether a person is at this terminal."""
    return sys.stdin.isatty() and messages.is_terminal


def check(picture: Picture, content: str | None) -> None:
    """Refuse a request that does not have the given hash.

    Raises:
        CommandError: It has another one.
    """
    if content == "":
        say("--hash is empty: copy it from `treadle show`, or omit it", style="red")
        raise typer.Exit(USAGE)
    if content is not None and not picture.content_hash.startswith(content):
        raise CommandError(
            f"the request has the content hash {picture.content_hash[:12]}, not {content!r}: "
            f"review it again with `{picture.look}`"
        )


def bind(picture: Picture, content: str | None, verb: str) -> None:
    """Check the given hash; without one, show the request at the terminal and ask.

    Without a terminal and a hash, the answer is for the request as it is now.

    Raises:
        CommandError: The request has another hash.
    """
    check(picture, content)
    if content is None and is_watched():
        messages.print(picture.drawn)
        confirmed(f"{verb} {picture.title}?", aborts=True)
