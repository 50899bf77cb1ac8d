"""What a person chooses of an agent: `--mode`, and `--option NAME=VALUE` for all else it offers."""

from typing import Annotated

import typer

from cli.core.errors import CommandError

Mode = Annotated[
    str | None, typer.Option(help="The agent's mode; planners and reviewers keep their own.")
]
Option = Annotated[
    list[str] | None,
    typer.Option(
        "--option",
        metavar="NAME=VALUE",
        help="Set an option by its id or category; repeatable.",
    ),
]


def options_of(option: list[str] | None, mode: str | None) -> dict[str, str]:
    """Return the options of a request.

    Raises:
        CommandError: One has no name or no value.
    """
    options: dict[str, str] = {} if mode is None else {"mode": mode}
    for text in option or ():
        name, _, value = text.partition("=")
        if not name or not value:
            raise CommandError(
                f"{text!r} is not an option: write NAME=VALUE, as in thought_level=high"
            )
        options[name] = value
    return options
