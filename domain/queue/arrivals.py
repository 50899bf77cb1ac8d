"""What may come into the queue."""

from collections.abc import Sequence
from enum import StrEnum

from domain.core.errors import CycleError, DuplicateIdError, InvalidError
from domain.core.graphs import cycles
from domain.core.wire import size_bytes
from domain.queue.entry import NewEntry
from domain.queue.errors import QueueFullError
from domain.queue.state import QueueState

MAX_OPEN = 2_000
"""Entries that are not over."""

MAX_BYTES = 1_000_000
"""What the open entries may come to: the queue's state must fit into one payload of Temporal's (2 MiB).

What they wait for counts twice, for how it stands is known as well; the rest is left for reasons,
which come later, and for entries that are over.
"""


class EntryStanding(StrEnum):
    """Whether the queue has an entry, or room for it."""

    KNOWN = "known"
    ROOM = "room"
    FULL = "full"


def standing_of(state: QueueState, entry: NewEntry) -> EntryStanding:
    """Return whether the queue has an entry, or room for it."""
    if entry.entry_id in state.entries:
        return EntryStanding.KNOWN
    try:
        refuse_unusable(state, (entry,))
    except QueueFullError:
        return EntryStanding.FULL
    return EntryStanding.ROOM


def refuse_unusable(state: QueueState, entries: Sequence[NewEntry]) -> None:
    """Refuse new entries as a whole where one of them cannot be used.

    Raises:
        DuplicateIdError: Two have the same id, or one is in the queue.
        InvalidError: One waits for itself.
        CycleError: They wait for each other; the message names the path.
        QueueFullError: There is no room for them.
    """
    seen: set[str] = set()
    for entry in entries:
        name = entry.entry_id
        if name in seen or name in state.entries:
            raise DuplicateIdError(f"{name!r} is in the queue already: give each entry its own id")
        if name in entry.after:
            raise InvalidError(f"{name!r} cannot wait for itself")
        seen.add(name)
    graph = {entry.entry_id: entry.after for entry in (*state.open, *entries)}
    if (path := next(cycles(graph), None)) is not None:
        raise CycleError(f"these would wait for each other: {' -> '.join(path)}")
    room = MAX_OPEN - sum(1 for _ in state.open)
    if len(entries) > room:
        raise QueueFullError(f"the queue holds {MAX_OPEN} entries; there is room for {room} more")
    if size_bytes([(entry, entry.after) for entry in (*state.open, *entries)]) > MAX_BYTES:
        raise QueueFullError("the queue holds as much as fits: wait until some have started")
