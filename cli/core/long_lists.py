"""Long lists on a terminal: their beginning, how many more there are, and how all are seen."""

from collections.abc import Sequence
from typing import Annotated, TypeVar

import typer
from rich.text import Text

from cli.core.console import plain

WHOLE_LIST = 30
"""How many tasks are all listed with all that is known of them."""

ROOM = 2 * WHOLE_LIST
"""Lines of a long list."""

NO_LIMIT = 10**9

All = Annotated[bool, typer.Option("--all", help="Print long lists in full.")]

Item = TypeVar("Item")


def first_of(items: Sequence[Item], most: int) -> tuple[Sequence[Item], int]:
    """Return the first of many, and how many more there are: never only one more."""
    if len(items) <= most + 1:
        return items, 0
    return items[:most], len(items) - most


def more_words(number: int, command: str, what: str = "more") -> Text:
    """Draw how many more there are, and the command that shows them."""
    return plain(f"  … and {number:,} {what}: {command}", "dim")
