"""How the queue's events change what is known of it; an event is a fact, so nothing raises."""

from collections.abc import Mapping

from domain.queue.entry import EntryState, QueueEntry, QueueLimits
from domain.queue.events import (
    EntryBlocked,
    EntryEnded,
    EntryEnqueued,
    EntryHeld,
    EntryMoved,
    EntryRefused,
    EntryReleased,
    EntryRemoved,
    EntryStarted,
    EntryStarting,
    EntryUnblocked,
    LimitsSet,
    QueueOpened,
    StatusesNoted,
)
from domain.queue.registry import QUEUE_RULES
from domain.queue.state import QueueState

KEPT = 200
"""How many entries that are over stay to be read."""


@QUEUE_RULES.evolves
def apply_queue_opened(event: QueueOpened) -> QueueState:
    return QueueState(defaults=event.defaults)


@QUEUE_RULES.evolves
def apply_entry_enqueued(event: EntryEnqueued, state: QueueState) -> QueueState:
    last = max((entry.order for entry in state.entries.values()), default=0)
    entry = QueueEntry(**dict(event.entry), order=last + 1, by=event.by)
    ticks = state.ticks + 1
    return state.model_copy(
        update={
            "entries": {**state.entries, entry.entry_id: entry},
            # what was known under its id, as of one that others wait for, is not of this entry
            "statuses": {n: s for n, s in state.statuses.items() if n != entry.entry_id},
            "served": {entry.project: ticks, **state.served},
            "ticks": ticks,
        }
    )


@QUEUE_RULES.evolves
def apply_entry_moved(event: EntryMoved, state: QueueState) -> QueueState:
    moved = state.entries.get(event.entry_id)
    if moved is None:
        return state
    others = [e for e in state.waiting if e.entry_id != event.entry_id]
    ids = [e.entry_id for e in others]
    place = ids.index(event.before) if event.before in ids else len(ids)
    others.insert(place, moved.model_copy(update={"priority": event.priority}))
    places = {e.entry_id: e.model_copy(update={"order": n}) for n, e in enumerate(others, 1)}
    return state.model_copy(update={"entries": {**state.entries, **places}})


@QUEUE_RULES.evolves
def apply_entry_held(event: EntryHeld, state: QueueState) -> QueueState:
    if event.entry_id is None:
        return state.model_copy(update={"is_held": True, "held_by": event.by})
    reason = event.reason or (f"held by {event.by}" if event.by else "held")
    return _with(state, event.entry_id, {"state": EntryState.HELD, "reason": reason})


@QUEUE_RULES.evolves
def apply_entry_released(event: EntryReleased, state: QueueState) -> QueueState:
    freed = {"state": EntryState.WAITING, "reason": "", "is_refused": False}
    if event.entry_id is not None:
        entry = state.entries.get(event.entry_id)
        is_anyway = event.is_anyway or (entry is not None and entry.is_anyway)
        return _with(state, event.entry_id, {**freed, "is_anyway": is_anyway})
    entries = {
        name: entry.model_copy(update=freed) if entry.state is EntryState.HELD else entry
        for name, entry in state.entries.items()
    }
    return state.model_copy(update={"is_held": False, "held_by": "", "entries": entries})


@QUEUE_RULES.evolves
def apply_entry_blocked(event: EntryBlocked, state: QueueState) -> QueueState:
    return _with(state, event.entry_id, {"state": EntryState.BLOCKED, "reason": event.reason})


@QUEUE_RULES.evolves
def apply_entry_unblocked(event: EntryUnblocked, state: QueueState) -> QueueState:
    return _with(state, event.entry_id, {"state": EntryState.WAITING, "reason": ""})


@QUEUE_RULES.evolves
def apply_entry_starting(event: EntryStarting, state: QueueState) -> QueueState:
    entry = state.entries.get(event.entry_id)
    if entry is None:
        return state
    ticks = state.ticks + 1
    served = {**state.served, entry.project: ticks}
    state = state.model_copy(update={"served": served, "ticks": ticks})
    return _with(state, event.entry_id, {"state": EntryState.STARTING, "attempt": event.attempt})


@QUEUE_RULES.evolves
def apply_entry_started(event: EntryStarted, state: QueueState) -> QueueState:
    where = {"host": event.host} if event.host else {}
    return _with(state, event.entry_id, {"state": EntryState.STARTED, **where})


@QUEUE_RULES.evolves
def apply_entry_refused(event: EntryRefused, state: QueueState) -> QueueState:
    refused = {"state": EntryState.BLOCKED, "is_refused": True, "reason": event.reason}
    return _with(state, event.entry_id, refused)


@QUEUE_RULES.evolves
def apply_entry_ended(event: EntryEnded, state: QueueState) -> QueueState:
    return _over(state, event.entry_id, EntryState.ENDED, event.outcome)


@QUEUE_RULES.evolves
def apply_entry_removed(event: EntryRemoved, state: QueueState) -> QueueState:
    reason = f"removed by {event.by}" if event.by else "removed"
    return _over(state, event.entry_id, EntryState.REMOVED, reason)


@QUEUE_RULES.evolves
def apply_limits_set(event: LimitsSet, state: QueueState) -> QueueState:
    if event.is_default:
        return state.model_copy(update={"defaults": event.limits or QueueLimits()})
    return state.model_copy(update={"limits": event.limits})


@QUEUE_RULES.evolves
def apply_statuses_noted(event: StatusesNoted, state: QueueState) -> QueueState:
    return state.model_copy(
        update={
            "statuses": {**state.statuses, **event.statuses},
            "loads": event.loads,
            "is_informed": True,
        }
    )


def _with(state: QueueState, entry_id: str, changes: Mapping[str, object]) -> QueueState:
    """Return the state with one entry changed; one that is over or forgotten stays so."""
    entry = state.entries.get(entry_id)
    if entry is None or entry.state.is_over:
        return state
    changed = {**state.entries, entry_id: entry.model_copy(update=changes)}
    return state.model_copy(update={"entries": changed})


def _over(state: QueueState, entry_id: str, how: EntryState, reason: str) -> QueueState:
    """Return the state with one entry that is over; what it waited for may be long, and is no more."""
    return _with(state, entry_id, {"state": how, "reason": reason, "after": ()})


@QUEUE_RULES.evolves(
    EntryEnded, EntryRefused, EntryReleased, EntryRemoved, EntryStarting, StatusesNoted
)
def forget_unneeded(state: QueueState) -> QueueState:
    """Forget what nobody needs: old ends, standings and projects; to look for it costs with every entry.

    With nothing open it is not followed how the others stand, so what was known of that is forgotten.
    """
    over = [name for name, entry in state.entries.items() if entry.state.is_over]
    forgotten = frozenset(over[: max(0, len(over) - KEPT)])
    if forgotten:
        kept = {n: e for n, e in state.entries.items() if n not in forgotten}
        state = state.model_copy(update={"entries": kept})
    if len(over) == len(state.entries) + len(forgotten):
        nothing: dict[str, object] = {
            "statuses": {},
            "loads": (),
            "is_informed": False,
            "served": {},
        }
        return state.model_copy(update=nothing)
    known, projects = {*state.own, *state.needed}, {entry.project for entry in state.open}
    return state.model_copy(
        update={
            "statuses": {n: s for n, s in state.statuses.items() if n in known},
            "served": {p: tick for p, tick in state.served.items() if p in projects},
        }
    )
