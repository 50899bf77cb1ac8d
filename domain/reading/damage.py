"""Folding what is left where the journal has damaged events (adapters/journal/rows.py)."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Protocol

from domain.core.damage_events import EventDamaged
from domain.core.errors import TreadleError
from domain.core.event import JournaledEvent

_MISFITS = (LookupError, AttributeError, TypeError, ValueError)
"""What a rule may raise by an event whose forerunner is damaged: a task that was never planned."""


class JournalDamagedError(TreadleError):
    """The requested data cannot be read because an event of the journal is damaged."""

    type = "journal_damaged"
    status = 409


class Foldable(Protocol):
    """Something that is rebuilt from the events of a stream and of those below it."""

    position: int

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event."""
        ...


def fold_in(fold: Foldable, journaled: JournaledEvent, damaged: list[EventDamaged]) -> None:
    """Fold the next event, and note one that is damaged; after such a one, what does not fit is left out."""
    if isinstance(journaled.event.body, EventDamaged):
        damaged.append(journaled.event.body)
    with left_out(damaged):
        fold.add(journaled)


@contextmanager
def left_out(damaged: Sequence[EventDamaged]) -> Generator[None]:
    """Carry on where something does not fit, if there are damaged events."""
    try:
        yield
    except _MISFITS:
        if not damaged:
            raise


@contextmanager
def telling(damaged: Sequence[EventDamaged], what: str) -> Generator[None]:
    """Make something of what was folded.

    Raises:
        JournalDamagedError: It cannot be made because of these damaged events.
    """
    try:
        yield
    except _MISFITS as error:
        if not damaged:
            raise
        raise damaged_error(damaged, what) from error


def damaged_error(damaged: Sequence[EventDamaged], what: str) -> JournalDamagedError:
    """Return the refusal of what cannot be told."""
    positions = ", ".join(str(event.position) for event in damaged[:10])
    return JournalDamagedError(
        f"{what} cannot be shown: the journal is damaged at position {positions}; "
        "`treadle journal repair` brings back what Temporal still knows, `treadle restore` a backup"
    )
