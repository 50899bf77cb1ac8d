"""What doors show of the queue; folded from the journal by the queue's own `evolve`."""

from datetime import datetime

from domain.core.event import JournaledEvent
from domain.core.money import Money
from domain.core.wire import Wire
from domain.queue.admission import Places, why
from domain.queue.entry import EntryState, QueueEntry, QueueLimits
from domain.queue.events import EntryEnqueued, EntryStarted
from domain.queue.rules import evolve
from domain.queue.state import QueueState
from domain.reading.inbox.times import AskingTimes

SHOWN = 20
"""Entries that the Temporal Web UI shows."""


class EntryView(Wire):
    """An entry; `place` is its place among those that wait, from 1, and `why` says why it waits.

    `signal_lines` are the ready `temporal workflow signal` commands, by name; the API fills them.
    """

    entry: QueueEntry
    place: int | None = None
    why: str = ""
    money: Money = Money()
    """What its turns cost that have ended; the API fills it."""
    signal_lines: dict[str, str] = {}


class QueueView(Wire):
    """The queue: what was started, what waits in its order, and the newest that are over."""

    entries: tuple[EntryView, ...] = ()
    over: tuple[EntryView, ...] = ()
    limits: QueueLimits = QueueLimits()
    are_limits_set: bool = False
    is_held: bool = False
    held_by: str = ""
    running: int = 0
    asking: int = 0
    signal_lines: dict[str, str] = {}
    position: int = 0


class QueueFold:
    """The queue, rebuilt from the events of its stream."""

    def __init__(self) -> None:
        self.state = QueueState()
        self.asked = AskingTimes()
        self.position = 0

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event; the journal knows when it was."""
        if journaled.position <= self.position:
            return
        self.position, body, at = journaled.position, journaled.event.body, journaled.event.at
        self.state = evolve(self.state, body)
        self.asked.note(journaled.event)
        if isinstance(body, EntryEnqueued):
            self._note(body.entry.entry_id, "enqueued_at", at)
        elif isinstance(body, EntryStarted):
            self._note(body.entry_id, "started_at", at)

    def _note(self, entry_id: str, name: str, at: datetime) -> None:
        entry = self.state.entries.get(entry_id)
        if entry is not None:
            entries = {**self.state.entries, entry_id: entry.model_copy(update={name: at})}
            self.state = self.state.model_copy(update={"entries": entries})

    def view(self) -> QueueView:
        """Return the queue as it is shown."""
        state, places = self.state, Places(self.state)
        begun = [e for e in state.open if not e.state.is_before_start]
        waiting = (
            EntryView(entry=entry, place=number, why=why(state, entry, places))
            for number, entry in enumerate(state.waiting, 1)
        )
        over = [e for e in state.entries.values() if e.state.is_over]
        return QueueView(
            entries=(*(EntryView(entry=e, why=_stand(state, e)) for e in begun), *waiting),
            over=tuple(EntryView(entry=e, why=e.reason) for e in reversed(over)),
            limits=state.limit,
            are_limits_set=state.limits is not None,
            is_held=state.is_held,
            held_by=state.held_by,
            running=places.working,
            asking=places.asking,
            position=self.position,
        )


def _stand(state: QueueState, entry: QueueEntry) -> str:
    work = state.statuses.get(entry.entry_id)
    return work.words if work else ""


def headline_words(state: QueueState) -> tuple[str, str]:
    """Return the queue's status in a word, and what of it waits for a person."""
    blocked = sum(entry.state is EntryState.BLOCKED for entry in state.open)
    waiting_for = f"{blocked} blocked" if blocked else ""
    if state.is_held:
        return "held", waiting_for
    return ("running" if next(state.open, None) else "idle"), waiting_for


def details(state: QueueState) -> str:
    """Return the queue as Markdown, for the Temporal Web UI."""
    begun = [e for e in state.open if not e.state.is_before_start]
    lines = [f"- {e.entry_id}: {e.state} {_stand(state, e)}".rstrip() for e in begun]
    waiting, places = state.waiting, Places(state)
    lines += [f"- {e.entry_id}: {e.state}, {why(state, e, places)}" for e in waiting[:SHOWN]]
    more = len(waiting) - SHOWN
    return "\n".join([*lines, *([f"- and {more} more"] if more > 0 else [])]) or "Nothing waits."
