"""Trusting what a repository brings: after a review at the terminal, or by a content hash."""

from typing import Annotated

import typer

from cli.core.console import confirmed, say
from cli.core.errors import CommandError

TrustHash = Annotated[
    str | None,
    typer.Option("--hash", help="Trust it without confirmation, only if it has this content hash."),
]


def confirm_trust(command: str, content_hash: str, instead: str = "") -> None:
    """Ask whether to trust what was just shown; `command` trusts it without asking.

    Raises:
        CommandError: The answer was no, or nobody is there to ask.
    """
    try:
        is_trusted = confirmed("Trust it until its file changes?")
    except typer.Abort:
        say("")  # ends the line of the question
        raise CommandError(
            f"no answer, so it was not trusted. To trust it in advance: {command} --hash {content_hash}"
        ) from None
    if not is_trusted:
        raise CommandError(f"not trusted{instead}")
