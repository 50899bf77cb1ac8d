"""The names that somebody may have meant, where one is not known."""

from collections.abc import Iterable
from difflib import get_close_matches
from heapq import nlargest

ALL_NAMED = 20
"""So many names are all told; of more, those that are like the wanted one."""

MAX_CLOSEST = 3
_LIKENESS = 0.5
_MATCHED = 20
_READ = 80


def known_names(wanted: str, known: Iterable[str], none: str = "none") -> str:
    """Return the known names, or of many how many there are and the closest to the wanted one.

    >>> known_names("tsk-7", [f"task-{number}" for number in range(100)])
    '100, closest: task-7, task-97, task-87'
    """
    names = list(known)
    if len(names) <= ALL_NAMED:
        return ", ".join(names) or none
    alike = _most_alike(wanted[:_READ], names)
    closest = ", ".join(get_close_matches(wanted[:_READ], alike, MAX_CLOSEST, _LIKENESS))
    return f"{len(names):,}, closest: {closest}" if closest else f"{len(names):,}, none like it"


def _most_alike(wanted: str, names: list[str]) -> list[str]:
    """Return the names that share most pairs of letters with one: to match all would take long."""
    pairs = _pairs(wanted)
    return nlargest(_MATCHED, names, key=lambda name: (len(pairs & _pairs(name)), -len(name)))


def _pairs(name: str) -> set[str]:
    padded = f" {name} "
    return {padded[place : place + 2] for place in range(len(padded) - 1)}


def few_names(known: Iterable[str]) -> str:
    """Return names, or the first of many and how many more there are."""
    names = list(known)
    more = len(names) - ALL_NAMED
    return ", ".join(names[:ALL_NAMED]) + (f" and {more:,} more" if more > 0 else "")
