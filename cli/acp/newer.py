"""What a newer engine tells in words that are not known here: it is left out, and the rest is read."""

import contextlib
from typing import Any, TypeVar, cast

from pydantic import BaseModel, ValidationError

from cli.core.errors import CommandError

MOST_ROUNDS = 20
"""What is left out can leave more out: what cannot be without it."""

M = TypeVar("M", bound=BaseModel)
Path = tuple[str | int, ...]


class NewerEngineError(CommandError):
    """The engine is newer than this program, which cannot read it at all."""


def read_known(model: type[M], told: Any) -> tuple[M, bool]:
    """Read what an engine told, without what is not known here, and tell whether that is all; `told` loses the rest.

    Raises:
        NewerEngineError: Nothing is left of it without that.
    """
    for number in range(MOST_ROUNDS):
        try:
            return model.model_validate(told), number == 0
        except ValidationError as error:
            unread = {_place_of(told, each["loc"], each["type"]) for each in error.errors()}
            if () in unread:
                break
            for path in sorted(unread, key=_order, reverse=True):
                _leave_out(told, path)
    raise NewerEngineError(
        "the engine is newer than this program, and sends what this program cannot read: update Treadle here"
    )


def _place_of(told: Any, loc: Path, kind: str) -> Path:
    """Return where what cannot be read is; of what is missing, what it is missing in."""
    path: Path = ()
    for step in loc[:-1] if kind == "missing" else loc:
        if isinstance(told, str):
            break
        with contextlib.suppress(LookupError, TypeError):  # it names a kind, not a place
            told = told[step]
            path = (*path, step)
    return path


def _order(path: Path) -> list[tuple[int, str]]:
    """Sort what is later in a list, or within another, behind."""
    return [(step, "") if isinstance(step, int) else (0, step) for step in path]


def _leave_out(told: Any, path: Path) -> None:
    for step in path[:-1]:
        told = told[step]
    del cast(dict[str | int, Any], told)[path[-1]]
