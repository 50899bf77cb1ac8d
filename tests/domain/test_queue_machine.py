"""The queue's rules in any order of commands, starts, refusals and news."""

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.core.errors import TreadleError
from domain.core.wire import Wire
from domain.queue.commands import (
    Enqueue,
    EnqueueScheduled,
    HoldEntry,
    MoveEntry,
    ReleaseEntry,
    RemoveEntry,
)
from domain.queue.entry import EntryState
from domain.queue.inputs import ChangedStatuses, NoteStart, StartedQueued
from domain.queue.status import Phase, WorkStatus
from tests.domain.test_queue_rules import Desk, new
from tests.hypothesis_profiles import effort

NAMES = st.sampled_from([f"n{number}" for number in range(6)])


class QueueMachine(RuleBasedStateMachine):
    """Any order of commands, starts, refusals and news."""

    @initialize(running=st.integers(1, 3), project=st.integers(1, 3))
    def limits(self, running: int, project: int):
        self.desk = Desk(max_running=running, per_project=project)
        self.begun: dict[str, int] = {}

    def tried(self, command: Wire) -> None:
        before, seen = self.desk.state, len(self.desk.events)
        try:
            self.desk.say(command)
        except TreadleError:
            assert self.desk.state == before
        for event in self.desk.events[seen:]:
            if event.kind == "entry_starting":
                self.begun[event.entry_id] = self.begun.get(event.entry_id, 0) + 1

    @rule(name=NAMES, after=st.lists(NAMES, max_size=2), priority=st.integers(1, 5))
    def put(self, name: str, after: list[str], priority: int):
        entry = new(name, after=tuple(after), priority=priority, project=f"/{name[1:]}"[:2])
        self.tried(Enqueue(entries=(entry,)))

    @rule(name=NAMES, overlap=st.sampled_from(["skip", "queue"]))
    def schedule(self, name: str, overlap: str):
        scheduled = EnqueueScheduled(entry=new(name, series="nightly"), overlap=overlap)
        self.tried(scheduled)
        if name in self.desk.state.entries:
            before = self.desk.state
            self.desk.say(scheduled)
            assert self.desk.state == before

    @rule(name=st.none() | NAMES)
    def hold(self, name: str | None):
        self.tried(HoldEntry(entry_id=name))

    @rule(name=st.none() | NAMES, is_anyway=st.booleans())
    def release(self, name: str | None, is_anyway: bool):
        self.tried(ReleaseEntry(entry_id=name, is_anyway=is_anyway))

    @rule(name=NAMES, before=st.none() | NAMES)
    def move(self, name: str, before: str | None):
        self.tried(MoveEntry(entry_id=name, before=before))

    @rule(name=NAMES)
    def remove(self, name: str):
        self.tried(RemoveEntry(entry_id=name))

    @rule(name=NAMES, refusal=st.sampled_from(["", "invalid"]), attempt=st.integers(1, 2))
    def start(self, name: str, refusal: str, attempt: int):
        result = StartedQueued(refusal=refusal)
        self.tried(NoteStart(entry_id=name, attempt=attempt, result=result))

    @rule(phases=st.dictionaries(NAMES, st.sampled_from(Phase)))
    def news(self, phases: dict[str, Phase]):
        known = {name: WorkStatus(phase=phase, status=phase) for name, phase in phases.items()}
        self.tried(ChangedStatuses(statuses=known))

    @invariant()
    def every_place_is_known_and_every_obstacle_told(self):
        if not hasattr(self, "desk"):
            return
        state = self.desk.state
        assert set(self.desk.starting) <= set(state.own)
        assert self.desk.is_following == any(True for _ in state.open)
        assert set(state.statuses) <= {*state.own, *state.needed}
        blocked = [e for e in state.entries.values() if e.state is EntryState.BLOCKED]
        assert all(e.reason or e.is_refused for e in blocked)

    @invariant()
    def no_attempt_begins_twice(self):
        for name, times in getattr(self, "begun", {}).items():
            entry = self.desk.state.entries.get(name)
            assert entry is None or entry.attempt <= times


TestQueueMachine = QueueMachine.TestCase
TestQueueMachine.settings = effort(30, steps=20)
