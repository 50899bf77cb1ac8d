"""Options that several commands have."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.errors import CommandError
from cli.core.numbers import MAX_NUMBER

Agent = Annotated[str | None, typer.Option(help="The agent to use.")]
Model = Annotated[str | None, typer.Option(help="The agent's model.")]
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
Template = Annotated[str | None, typer.Option(help="The plan template.")]
Workspace = Annotated[
    Path | None,
    typer.Option(help="A workspace recipe for this thread alone; /dev/null for none."),
]
Repo = Annotated[Path, typer.Option(help="Folder of the git repository.")]
OnHost = Annotated[
    str, typer.Option("--host", metavar="NAME", help="Host to work on; see `treadle hosts`.")
]
Labels = Annotated[
    list[str] | None,
    typer.Option("--label", metavar="LABEL", help="Label that the host must have; repeatable."),
]
Goal = Annotated[str | None, typer.Argument(metavar="GOAL", help="What should be done?")]
OfFlow = Annotated[str | None, typer.Option(help="Run this flow instead of a goal.")]
Priority = Annotated[int, typer.Option(min=1, max=5, help="Priority from 1 (first) to 5 (last).")]
Detach = Annotated[bool, typer.Option("--detach", "-d", help="Return immediately.")]
Queue = Annotated[bool, typer.Option("--queue", help="Add it to the queue.")]
Follow = Annotated[
    bool, typer.Option("--follow", "-f", help="Follow new output until you press Ctrl-C.")
]
Session = Annotated[
    int | None,
    typer.Option(
        "--session",
        "-s",
        min=1,
        max=MAX_NUMBER,
        help="Session number. Default: the newest.",
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


def given(**options: str | None) -> dict[str, str]:
    """Return the options that were given."""
    return {name: value for name, value in options.items() if value is not None}
