"""The queue's commands, and what follows from them."""

import pytest

from domain.core.errors import (
    CycleError,
    DuplicateIdError,
    InvalidError,
    NotFoundError,
    WrongStateError,
)
from domain.core.event import EventBody
from domain.core.wire import Wire, size_bytes
from domain.queue import rules
from domain.queue.arrivals import MAX_OPEN
from domain.queue.commands import (
    Enqueue,
    HoldEntry,
    MoveEntry,
    ReleaseEntry,
    RemoveEntry,
    SetLimits,
)
from domain.queue.effects import FollowOthers, StartEntry
from domain.queue.entry import EntryState, NewEntry, QueueEntry, QueueLimits
from domain.queue.errors import QueueFullError
from domain.queue.evolution import KEPT
from domain.queue.inputs import ChangedStatuses, NoteStart, StartedQueued
from domain.queue.state import QueueState
from domain.queue.status import Phase, WorkStatus
from tests.domain.world import NOW


def new(name: str, **more: object) -> NewEntry:
    return NewEntry(**{"entry_id": name, "project": "/one", "spec_ref": "x", **more})


class Desk:
    """A queue to talk to."""

    def __init__(self, **limits: int) -> None:
        self.state = QueueState(limits=QueueLimits(**limits))
        self.events: list[EventBody] = []

    def say(self, command: Wire) -> None:
        for event in rules.decide(self.state, command, NOW).events:
            self.events.append(event)
            self.state = rules.evolve(self.state, event)

    @property
    def starting(self) -> list[str]:
        effects = rules.effects(self.state)
        return [e.entry.entry_id for e in effects if isinstance(e, StartEntry)]

    @property
    def is_following(self) -> bool:
        return any(isinstance(e, FollowOthers) for e in rules.effects(self.state))

    def put(self, *entries: NewEntry) -> None:
        self.say(Enqueue(entries=entries))

    def stands(self, **phases: Phase) -> None:
        known = {n.replace("_", "-"): WorkStatus(phase=p, status=p) for n, p in phases.items()}
        self.say(ChangedStatuses(statuses=known, loads=self.state.loads))

    def started(self, name: str, refusal: str = "", reason: str = "") -> None:
        attempt = self.state.entries[name].attempt
        result = StartedQueued(refusal=refusal, reason=reason)
        self.say(NoteStart(entry_id=name, attempt=attempt, result=result))

    def of(self, name: str) -> str:
        return self.state.entries[name].state


def test_an_entry_starts_once_it_is_known_how_the_others_stand():
    desk = Desk()
    desk.put(new("a"))
    assert desk.of("a") == "waiting"

    desk.stands()
    assert desk.of("a") == "starting"
    desk.started("a")
    desk.stands(a=Phase.WORKING)
    assert desk.of("a") == "started"
    desk.stands(a=Phase.COMPLETED)
    assert desk.of("a") == "ended"
    assert not desk.state.is_informed


def test_a_chain_starts_link_by_link():
    desk = Desk()
    desk.put(new("a"), new("b", after=("a",)), new("c", after=("b",)))
    desk.stands()

    for name in ("a", "b", "c"):
        assert desk.starting == [name]
        desk.started(name)
        desk.stands(**{name: Phase.COMPLETED})
    assert not desk.is_following


def test_a_dependency_that_failed_blocks_until_it_completes_after_all():
    desk = Desk()
    desk.put(new("a"), new("b", after=("a",)))
    desk.stands()
    desk.started("a")
    desk.stands(a=Phase.FAILED)

    assert (desk.of("b"), desk.state.entries["b"].reason) == ("blocked", "a: failed")
    assert desk.state.needed == ("a",)
    with pytest.raises(WrongStateError, match="anyway"):
        desk.say(ReleaseEntry(entry_id="b"))
    desk.stands(a=Phase.WORKING)
    assert desk.of("b") == "waiting"
    desk.stands(a=Phase.COMPLETED)
    assert desk.of("b") == "starting"


def test_a_blocked_entry_is_released_anyway():
    desk = Desk()
    desk.put(new("b", after=("thread-gone",)))
    desk.stands(thread_gone=Phase.GONE)
    assert desk.of("b") == "blocked"

    desk.say(ReleaseEntry(entry_id="b", is_anyway=True))
    assert desk.of("b") == "starting"


def test_a_removed_dependency_blocks():
    desk = Desk()
    desk.say(HoldEntry())
    desk.put(new("a"), new("b", after=("a",)))
    desk.say(RemoveEntry(entry_id="a"))

    assert desk.state.entries["b"].reason == "a: removed from the queue"


def test_a_refused_start_waits_for_a_person_who_may_try_again():
    desk = Desk()
    desk.put(new("a"))
    desk.stands()
    desk.started("a", "unusable_repository", "it is no repository")
    assert (desk.of("a"), desk.state.entries["a"].reason) == ("blocked", "it is no repository")

    desk.say(ReleaseEntry(entry_id="a"))
    assert desk.of("a") == "starting"
    desk.say(NoteStart(entry_id="a", attempt=1, result=StartedQueued()))  # the first one, late
    assert desk.of("a") == "starting"
    desk.started("a")
    assert desk.of("a") == "started"


def test_held_entries_and_a_held_queue_start_nothing():
    desk = Desk()
    desk.say(HoldEntry(by="ada"))
    desk.put(new("a"), new("b"))
    desk.stands()
    desk.say(HoldEntry(entry_id="a", reason="not yet"))
    assert not desk.starting

    desk.say(ReleaseEntry())
    assert (desk.of("a"), desk.of("b")) == ("starting", "starting")


def test_entries_move_in_front_of_others_and_to_the_very_front():
    desk = Desk(max_running=1)
    desk.say(HoldEntry())
    desk.put(new("a", priority=2), new("b"), new("c"), new("d"))

    desk.say(MoveEntry(entry_id="d", before="b"))
    assert [e.entry_id for e in desk.state.waiting] == ["a", "d", "b", "c"]
    desk.say(MoveEntry(entry_id="c"))
    assert [e.entry_id for e in desk.state.waiting] == ["c", "a", "d", "b"]
    desk.say(MoveEntry(entry_id="c", priority=5))
    assert [e.entry_id for e in desk.state.waiting] == ["a", "d", "b", "c"]
    with pytest.raises(InvalidError, match="priority"):
        desk.say(MoveEntry(entry_id="b", before="a", priority=4))
    with pytest.raises(NotFoundError):
        desk.say(MoveEntry(entry_id="zed"))


def test_what_cannot_be_used_is_refused_as_a_whole():
    desk = Desk()
    desk.put(new("a"))
    before = desk.state

    with pytest.raises(DuplicateIdError):
        desk.put(new("b"), new("a"))
    with pytest.raises(InvalidError):
        desk.put(new("b", after=("b",)))
    with pytest.raises(CycleError, match="b -> c -> b"):
        desk.put(new("b", after=("c",)), new("c", after=("b",)))
    assert desk.state == before


def test_a_full_queue_takes_no_more():
    desk = Desk()
    desk.say(HoldEntry())
    one = QueueEntry(**dict(new("e")))
    entries = {f"e{n}": one.model_copy(update={"entry_id": f"e{n}"}) for n in range(MAX_OPEN)}
    desk.state = desk.state.model_copy(update={"entries": entries})

    with pytest.raises(QueueFullError, match="room for 0"):
        desk.put(new("one-more"))


def test_a_started_entry_is_let_go_and_counts_no_more_as_the_queue_s_own():
    desk = Desk()
    desk.put(new("a"), new("b", after=("x",)))
    desk.stands(x=Phase.WORKING)
    with pytest.raises(WrongStateError):
        desk.say(RemoveEntry(entry_id="a"))
    desk.started("a")
    desk.say(RemoveEntry(entry_id="a"))

    assert desk.state.own == ()


def test_only_the_newest_ends_are_kept():
    desk = Desk(max_running=1000, per_project=1000, per_host=1000)
    for number in range(KEPT + 5):
        desk.put(new(f"e{number}"))
        desk.say(RemoveEntry(entry_id=f"e{number}"))

    assert len(desk.state.entries) == KEPT
    assert "e4" not in desk.state.entries


def test_settings_count_until_a_person_sets_limits():
    desk = Desk()
    desk.state = QueueState()
    desk.say(Enqueue(entries=(new("a"),), defaults=QueueLimits(max_running=9)))
    assert desk.state.limit.max_running == 9

    desk.say(SetLimits(limits=QueueLimits(max_running=2)))
    desk.say(Enqueue(entries=(new("b"),), defaults=QueueLimits(max_running=7)))
    assert desk.state.limit.max_running == 2
    desk.say(SetLimits(limits=None))
    assert desk.state.limit.max_running == 7


def filled(desk: Desk, names: tuple[str, ...]) -> None:
    while True:
        desk.put(new(f"entry-{len(desk.events)}", after=names))


def test_what_is_over_leaves_room_for_what_comes():
    """The state goes through one payload of Temporal's, which may have 2 MiB."""
    desk = Desk()
    names = tuple(f"thread-{n}".ljust(300, "x") for n in range(50))
    for _ in range(3):
        with pytest.raises(QueueFullError):
            filled(desk, names)
        assert size_bytes(desk.state) < 1_500_000
        for entry in list(desk.state.open):
            desk.say(RemoveEntry(entry_id=entry.entry_id))
    assert size_bytes(desk.state) < 500_000


def test_an_entry_that_was_waited_for_before_it_came_ends_by_its_own_end():
    desk = Desk()
    desk.put(new("b", after=("a",)))
    desk.stands(a=Phase.GONE)
    assert desk.state.entries["b"].state is EntryState.BLOCKED
    desk.put(new("a"))
    desk.started("a")
    assert desk.state.entries["a"].state is EntryState.STARTED
    assert desk.state.entries["b"].state is EntryState.WAITING

    desk.stands(a=Phase.COMPLETED)
    assert desk.state.entries["b"].state is EntryState.STARTING


def test_what_waits_for_one_that_goes_on_without_the_queue_waits_for_its_end():
    desk = Desk()
    desk.put(new("a"), new("b", after=("a",)))
    desk.stands()
    desk.started("a")
    desk.say(RemoveEntry(entry_id="a"))
    assert desk.state.entries["b"].state is EntryState.WAITING
    assert desk.state.needed == ("a",)
    desk.stands(a=Phase.WORKING)
    assert desk.state.entries["b"].state is EntryState.WAITING
    desk.stands(a=Phase.COMPLETED)
    assert desk.state.entries["b"].state is EntryState.STARTING
