"""The rules of the queue: what each command does, what follows from it, what must be under way."""

from collections.abc import Iterator

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.queue import evolution
from domain.queue.admission import admitted, needs
from domain.queue.arrivals import refuse_unusable
from domain.queue.commands import (
    Enqueue,
    EnqueueScheduled,
    HoldEntry,
    MoveEntry,
    ReleaseEntry,
    RemoveEntry,
    SetLimits,
)
from domain.queue.effects import FollowOthers, QueueEffect, StartEntry
from domain.queue.entry import EntryState, QueueEntry
from domain.queue.events import (
    EntryBlocked,
    EntryEnded,
    EntryEnqueued,
    EntryHeld,
    EntryMoved,
    EntryRefused,
    EntryReleased,
    EntryRemoved,
    EntrySkipped,
    EntryStarted,
    EntryStarting,
    EntryUnblocked,
    LimitsSet,
    StatusesNoted,
)
from domain.queue.inputs import ChangedStatuses, NoteStart
from domain.queue.registry import QUEUE_RULES
from domain.queue.state import QueueState

MAX_REASON = 500
RULES = (evolution,)
"""The others that register rules."""


decide = QUEUE_RULES.decide
evolve = QUEUE_RULES.evolve
fold = QUEUE_RULES.fold
effects = QUEUE_RULES.effects


@QUEUE_RULES.reacts
def end_entries(state: QueueState) -> Iterator[EventBody]:
    for entry in state.entries.values():
        phase = state.phase(entry.entry_id)
        if entry.state is EntryState.STARTED and phase is not None and phase.is_end:
            outcome = state.statuses[entry.entry_id].status
            yield EntryEnded(entry_id=entry.entry_id, outcome=outcome)


@QUEUE_RULES.reacts
def block_entries(state: QueueState) -> Iterator[EventBody]:
    for entry in state.waiting:
        if entry.state is EntryState.HELD or entry.is_refused:
            continue
        broken = next((need for need in needs(state, entry) if need.is_broken), None)
        reason = f"{broken.name}: {broken.status}" if broken else ""
        if broken and reason != entry.reason:
            yield EntryBlocked(entry_id=entry.entry_id, reason=reason)
        elif not broken and entry.state is EntryState.BLOCKED:
            yield EntryUnblocked(entry_id=entry.entry_id)


@QUEUE_RULES.reacts
def start_entries(state: QueueState) -> Iterator[EventBody]:
    for entry in admitted(state):
        yield EntryStarting(entry_id=entry.entry_id, attempt=entry.attempt + 1)


@QUEUE_RULES.requires
def start_and_follow(state: QueueState) -> Iterator[QueueEffect]:
    for entry in state.entries.values():
        if entry.state is EntryState.STARTING:
            yield StartEntry(entry=entry)
    if any(True for _ in state.open):
        yield FollowOthers(own=state.own, needed=state.needed)


@QUEUE_RULES.handles
def enqueue(command: Enqueue, state: QueueState) -> Decided:
    refuse_unusable(state, command.entries)
    defaults = command.defaults
    changed = (
        (LimitsSet(limits=defaults, is_default=True),)
        if defaults and defaults != state.defaults
        else ()
    )
    entered = (EntryEnqueued(entry=entry, by=command.by) for entry in command.entries)
    names = [entry.entry_id for entry in command.entries]
    answer = Answer(message=f"in the queue: {', '.join(names)}", data={"entries": names})
    return Decided((*changed, *entered), answer)


@QUEUE_RULES.handles
def enqueue_scheduled(command: EnqueueScheduled, state: QueueState) -> Decided:
    entry = command.entry
    if entry.entry_id in state.entries:
        return Decided((), Answer(message="already queued"))
    earlier = (e for e in state.open if entry.series and e.series == entry.series)
    if command.overlap == "skip" and (before := next(earlier, None)) is not None:
        name = before.entry_id
        skipped = EntrySkipped(series=entry.series, entry_id=entry.entry_id, earlier=name)
        return Decided((skipped,), Answer(message=f"skipped: {name} has not ended"))
    refuse_unusable(state, (entry,))
    return Decided((EntryEnqueued(entry=entry, by=command.by),))


@QUEUE_RULES.handles
def move_entry(command: MoveEntry, state: QueueState) -> Decided:
    entry = _waiting(state, command.entry_id)
    others = [e for e in state.waiting if e.entry_id != entry.entry_id]
    before, priority = command.before, command.priority
    if before is not None:
        target = _waiting(state, before)
        if before == entry.entry_id:
            raise InvalidError(f"{before!r} cannot be in front of itself")
        priority = priority or target.priority
        if priority != target.priority:
            raise InvalidError(
                f"{before!r} has the priority {target.priority}: give that one, or leave it out"
            )
    elif priority is None:
        before, priority = (others[0].entry_id if others else None), 1
    moved = EntryMoved(entry_id=entry.entry_id, priority=priority, before=before, by=command.by)
    return Decided((moved,), Answer(message=f"{entry.entry_id} now has priority {priority}"))


@QUEUE_RULES.handles
def hold_entry(command: HoldEntry, state: QueueState) -> Decided:
    name = command.entry_id
    held = EntryHeld(entry_id=name, reason=command.reason, by=command.by)
    if name is None:
        events = () if state.is_held else (held,)
        return Decided(events, Answer(message="nothing starts until the queue is released"))
    entry = _waiting(state, name)
    events = () if entry.state is EntryState.HELD else (held,)
    return Decided(events, Answer(message=f"{name} is held"))


@QUEUE_RULES.handles
def release_entry(command: ReleaseEntry, state: QueueState) -> Decided:
    name, is_anyway = command.entry_id, command.is_anyway
    released = EntryReleased(entry_id=name, is_anyway=is_anyway, by=command.by)
    if name is None:
        if is_anyway:
            raise InvalidError("name the entry that is to start without what it waits for")
        return Decided((released,), Answer(message="the queue is released"))
    entry = _waiting(state, name)
    if entry.state is EntryState.BLOCKED and not entry.is_refused and not is_anyway:
        raise WrongStateError(
            f"{name!r} is blocked: {entry.reason}; release it anyway, or remove it"
        )
    return Decided((released,), Answer(message=f"{name} is released"))


@QUEUE_RULES.handles
def remove_entry(command: RemoveEntry, state: QueueState) -> Decided:
    entry = _known(state, command.entry_id)
    name = entry.entry_id
    if entry.state is EntryState.REMOVED:
        return Decided((), Answer(message=f"{name} was removed from the queue"))
    if entry.state in {EntryState.STARTING, EntryState.ENDED}:
        raise WrongStateError(f"{name!r} is {entry.state}: only what waits or runs can be removed")
    if command.only_waiting and not entry.state.is_before_start:
        raise WrongStateError(f"{name!r} is {entry.state}: it has started")
    goes_on = "; it goes on by itself" if entry.state is EntryState.STARTED else ""
    removed = EntryRemoved(entry_id=name, by=command.by)
    return Decided((removed,), Answer(message=f"{name} was removed from the queue{goes_on}"))


@QUEUE_RULES.handles
def set_limits(command: SetLimits, state: QueueState) -> Decided:
    limits = command.limits
    words = ", ".join(f"{name} {n}" for name, n in (limits or state.defaults).model_dump().items())
    events = () if limits == state.limits else (LimitsSet(limits=limits, by=command.by),)
    return Decided(events, Answer(message=f"limits: {words}"))


@QUEUE_RULES.handles
def note_start(command: NoteStart, state: QueueState) -> Decided:
    entry, result = state.entries.get(command.entry_id), command.result
    is_due = entry is not None and entry.state is EntryState.STARTING
    if entry is None or not is_due or entry.attempt != command.attempt:
        return Decided()
    if result.refusal:
        refused = EntryRefused(
            entry_id=entry.entry_id, type=result.refusal, reason=result.reason[:MAX_REASON]
        )
        return Decided((refused,))
    return Decided((EntryStarted(entry_id=entry.entry_id, host=result.host),))


@QUEUE_RULES.handles
def note_statuses(command: ChangedStatuses) -> Decided:
    return Decided((StatusesNoted(statuses=command.statuses, loads=command.loads),))


def _known(state: QueueState, name: str) -> QueueEntry:
    entry = state.entries.get(name)
    if entry is None:
        raise NotFoundError(f"there is no entry {name!r} in the queue; `treadle queue` lists them")
    return entry


def _waiting(state: QueueState, name: str) -> QueueEntry:
    entry = _known(state, name)
    if not entry.state.is_before_start:
        raise WrongStateError(f"{name!r} is {entry.state}: only what has not started can change")
    return entry
