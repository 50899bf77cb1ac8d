"""Which files were changed by more than one session or task."""

from collections.abc import Iterable, Mapping

from domain.core.wire import Wire

MAX_SHOWN = 100


class Overlap(Wire):
    """A file, and who changed it, each on its own: `session-1`, or a task's id."""

    file: str
    by: tuple[str, ...]


def overlaps(changed: Mapping[str, Iterable[str]]) -> tuple[Overlap, ...]:
    """Return the files that more than one changed, in order, the first 100."""
    by: dict[str, list[str]] = {}
    for who, files in changed.items():
        for file in dict.fromkeys(files):
            by.setdefault(file, []).append(who)
    shared = sorted((file, who) for file, who in by.items() if len(who) > 1)
    return tuple(Overlap(file=file, by=tuple(who)) for file, who in shared[:MAX_SHOWN])
