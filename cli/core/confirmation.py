"""What binds a command to what a person has seen: the hash beside it, or a look at it and a yes."""

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
"""The hash of nothing: what was not there when it was read is not answered by what comes after."""


@dataclass(frozen=True)
class Picture:
    """What waits, drawn, from the same read as the hash that the answer brings."""

    content_hash: str
    drawn: RenderableType
    title: str
    look: str
    """The command that shows it again."""


def is_watched() -> bool:
    """Tell whether a person is at this terminal."""
    return sys.stdin.isatty() and messages.is_terminal


def check(picture: Picture, content: str | None) -> None:
    """Refuse what has not the hash that was given.

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
    """Check the hash that was given; without one show a person at a terminal what waits, and ask.

    Where nobody is at a terminal, and no hash is given, it is about what waits now.

    Raises:
        CommandError: It is not what was seen.
    """
    check(picture, content)
    if content is None and is_watched():
        messages.print(picture.drawn)
        confirmed(f"{verb} {picture.title}?", aborts=True)
