"""Repositories beside a thread's own: what they are called, and what agents and steps are told of them."""

import re
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from domain.core.text import bullets
from domain.core.workspaces import BesideRepository

MAX_BESIDE = 8
"""Repositories that a thread may have beside its own."""

_ODD = re.compile(r"[^A-Za-z0-9._-]+")
_TAKEN = re.compile(r"\.(removed|index|checkout|lock)$")
"""How files end that lie beside worktrees."""

VARIABLE = "TREADLE_REPOSITORY_"


class OpenedBeside(BesideRepository):
    """A repository beside, as it was found when its thread was opened."""

    head_branch: str | None = None
    uncommitted: int = 0
    remotes: dict[str, str] = {}


def names_of(folders: Sequence[str]) -> tuple[str, ...]:
    """Return what repositories are called in one thread: as their folders, and each otherwise.

    No two differ by case or punctuation alone: variables name them as well.
    """
    names: list[str] = []
    known: set[str] = set()
    for folder in folders:
        plain = _TAKEN.sub(r"-\1", _ODD.sub("-", Path(folder).name).strip(".-")) or "repository"
        name, number = plain, 1
        while variable_of(name) in known:
            number += 1
            name = f"{plain}-{number}"
        known.add(variable_of(name))
        names.append(name)
    return tuple(names)


def variable_of(name: str) -> str:
    """Return the variable that says where a repository's worktree is."""
    return VARIABLE + re.sub(r"[^A-Z0-9]", "_", name.upper())


def variables_of(places: Iterable[tuple[str, Path]]) -> dict[str, str]:
    """Return the variables of repositories by their names and places."""
    return {variable_of(name): str(place) for name, place in places}


def describe_beside(beside: Iterable[BesideRepository]) -> str:
    """Return what an agent is told of the repositories beside its own; nothing where there are none."""
    return bullets(
        f"{one.name}: `../{one.name}`, also ${variable_of(one.name)}"
        + (" (to read: what you change there is not kept)" if one.is_read else "")
        for one in beside
    )


def changed_by(
    beside: Iterable[BesideRepository], names: Collection[str]
) -> tuple[BesideRepository, ...]:
    """Return the repositories beside a task that changes those of these names; all where it names none."""
    return tuple(
        one.model_copy(update={"is_read": bool(names) and one.name not in names}) for one in beside
    )


def beside_words(beside: Iterable[BesideRepository]) -> str:
    """Return what a chat's first message ends with; nothing where there are no repositories beside."""
    others = describe_beside(beside)
    return f"\n\n(Beside this repository, for you to work in:\n\n{others})" if others else ""
