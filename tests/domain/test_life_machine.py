"""The whole life of a plan in random order: whatever comes, the invariants hold.

Commands of every kind, results of every kind, fresh and late. What is refused changes nothing, no
rule raises anything but a refusal, every state can be carried on, and no work starts that a person,
or their standing word, did not approve.
"""

from datetime import UTC, datetime

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from domain.core import graphs
from domain.core.approval_commands import Approve
from domain.core.approvals import Choice, Decider, Outcome
from domain.core.command import Verdict
from domain.core.errors import TreadleError
from domain.core.event import Event, EventBody, JournaledEvent
from domain.core.ids import EventId, StreamId, TaskId
from domain.core.wire import Wire, lean_json
from domain.plans.status import PlanStatus
from domain.reading.event_kinds import EVENT
from domain.reading.projection import ThreadFold
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads import rules
from domain.threads.amending import events as amending_events
from domain.threads.commands import WakeUp
from domain.threads.details import thread_details
from domain.threads.effects import DeliverPrompt, WaitUntil, WatchRuns
from domain.threads.inputs import ThreadInput
from domain.threads.merging import events as merging_events
from domain.threads.planning.events import SuggestionDecided
from domain.threads.replacing.commands import LoseSession
from domain.threads.running import decision_events
from domain.threads.running import events as running_events
from domain.threads.running.plan_tasks import PlanTasks
from domain.threads.state import ThreadState
from tests.domain.life_acts import ACTS, THREAD, opening
from tests.domain.life_work_acts import KINDS
from tests.domain.world import NOW
from tests.hypothesis_profiles import effort
from workflows import children

PICK = st.integers(0, 30)
SOME = st.lists(
    st.tuples(st.sampled_from(KINDS), PICK, PICK, st.booleans()), min_size=4, max_size=20
)
INPUT = ThreadInput(thread_id=THREAD, goal="goal", repository="/repo", agent="fake")


class LifeMachine(RuleBasedStateMachine):
    """One thread, and what is remembered of it outside of its state."""

    @initialize(slots=st.integers(1, 3), a=PICK, b=PICK)
    def open(self, slots: int, a: int, b: int) -> None:
        self.state = ThreadState(thread_id=THREAD)
        self.fold = ThreadFold(THREAD)
        self.count = 0
        self.now = NOW
        self.is_carried = False
        self.outcomes: dict[str, Outcome] = {}
        self.learned: list[str] = []
        self.conflicts: set[tuple[str, str]] = set()
        self._send(opening(slots))
        for name, yes in (("propose", True), ("approve", True)):
            self._send(ACTS[name](self.state, a, b, yes))

    @rule(some=SOME)
    def live(self, some: list[tuple[str, int, int, bool]]) -> None:
        for name, a, b, yes in some:
            command = ACTS[name](self.state, a, b, yes)
            if command is not None:
                self._send(command)

    @rule(some=st.lists(st.tuples(PICK, PICK), min_size=3, max_size=10))
    def go_on(self, some: list[tuple[int, int]]) -> None:
        """Let what runs end well."""
        for a, b in some:
            for name in ("end_task", "settle"):
                if (command := ACTS[name](self.state, a, b, True)) is not None:
                    self._send(command)

    @rule()
    def continue_as_new(self) -> None:
        carried = self.state.without_old_texts()
        after = ThreadState.model_validate_json(lean_json(carried))
        assert after == carried
        assert [e.key for e in rules.effects(after)] == [e.key for e in rules.effects(self.state)]
        self.state, self.is_carried = after, True

    # --- one command

    def _send(self, command: Wire) -> None:
        before = self.state
        note(f"{command!r}")
        try:
            if isinstance(command, WakeUp):
                waits = [
                    e.at for e in rules.effects(before) if isinstance(e, WaitUntil | WatchRuns)
                ]
                self.now = max(self.now, min(waits))
            decided = rules.decide(before, command, self.now)
        except TreadleError as error:
            note(f"  refused: {error.message[:100]}")
            return
        is_approved = isinstance(command, Approve)
        for event in decided.events:
            self._check(event, command, is_approved=is_approved)
            self.state = rules.evolve(self.state, event)
            self._journal(event)
        self._check_change(before)
        self._check_state()
        if isinstance(command, LoseSession):
            self._check_lost(command)

    def _check_lost(self, lost: LoseSession) -> None:
        """Nothing is delivered to a session that is gone, and nothing that was said is left out."""
        told = [e for e in rules.effects(self.state) if isinstance(e, DeliverPrompt)]
        assert not [e for e in told if e.session_id == lost.session_id and not e.is_for_work]
        before, after = self.state, rules.decide(self.state, lost, self.now).events
        assert not after, f"it came twice: {after} in {before}"
        session = self.state.sessions[lost.session_id]
        if session.replaced_by:
            last = lost.session_id.rpartition("/")[2]
            keys = self.state.seen_prompts
            for message in lost.messages:
                ending = f"/from-{last}-{message.key.removeprefix(f'{lost.session_id}/')}"
                assert any(key.endswith(ending) for key in keys)

    def _journal(self, body: EventBody) -> None:
        self.count += 1
        at = datetime(2026, 1, 1, tzinfo=UTC)
        event = Event(id=EventId(f"e-{self.count}"), stream=StreamId(THREAD), at=at, body=body)
        assert EVENT.validate_json(EVENT.dump_json(event)) == event
        self.fold.add(JournaledEvent(position=self.count, event=event))

    # --- what each event may be

    def _check(self, event: EventBody, command: Wire, *, is_approved: bool) -> None:
        state = self.state
        match event:
            case (
                thread_events.PlanDecided(outcome=outcome)
                | amending_events.AmendmentDecided(outcome=outcome)
            ):
                self._check_outcome(outcome, command)
            case SuggestionDecided(outcome=outcome):
                self._check_outcome(outcome, command)
            case thread_events.PlanStarted():
                chosen = state.plans[(state.approved or 0) - 1]
                outcome = self.outcomes[chosen.request.request_id]
                assert outcome.choice is Choice.APPROVE
                assert not state.plan_status.is_live
                assert not state.lifecycle.is_deletion_requested
                self.conflicts = set()
            case amending_events.PlanAmended():
                assert is_approved
                assert state.plan_status.is_live
                assert self.outcomes[event.amendment_id].choice is Choice.APPROVE
                for gone in event.removed:
                    self.conflicts = {c for c in self.conflicts if c[0] != gone}
            case merging_events.ConflictFound(conflict=conflict):
                self.conflicts.add((conflict.task_id, conflict.commit))
            case thread_events.TaskUpdated():
                self._check_task(event)
            case decision_events.DecisionMade():
                assert state.decisions[event.decision_id].selections is None
            case running_events.LearningsAdded():
                new = [learning.text for learning in event.learnings]
                assert not set(new) & set(self.learned)
                self.learned += new
            case _:
                pass

    def _check_outcome(self, outcome: Outcome, command: Wire) -> None:
        """A decision is made once, by a verdict on exactly what was asked, or by `auto`."""
        assert outcome.request_id not in self.outcomes
        asked = self.state.requests[outcome.request_id]
        assert outcome.content_hash == asked.content_hash
        if outcome.decider is Decider.POLICY:
            plan = next(p for p in self.state.plans if p.request == asked)
            assert self.state.is_auto
            assert not plan.warnings
        else:
            assert isinstance(command, Verdict)
            assert (command.request_id, command.content_hash) == (
                asked.request_id,
                asked.content_hash,
            )
        self.outcomes[outcome.request_id] = outcome

    def _check_task(self, event: thread_events.TaskUpdated) -> None:
        state, entry = self.state, self.state.tasks[event.task_id]
        assert entry.status is not TaskStatus.COMPLETED
        if event.new_status is TaskStatus.COMPLETED:
            assert entry.status.is_at_work
            assert entry.merge_commit
        if not event.new_status.is_at_work or entry.status.is_at_work:
            return
        assert state.plan_status is PlanStatus.ACTIVE
        assert event.run > state.tasks[event.task_id].run
        needs = [state.tasks[need].status for need in entry.task.depends_on]
        assert all(status is TaskStatus.COMPLETED for status in needs)
        if entry.task.decision_id:
            assert state.decisions[entry.task.decision_id].selections
        if work := state.merges.work_of(event.task_id, event.run):
            assert (event.task_id, work.commit) in self.conflicts, "work of another task"

    # --- what must not change, and what must hold

    def _check_change(self, before: ThreadState) -> None:
        after = self.state
        if after.approved != before.approved:
            return
        for name, entry in before.tasks.items():
            if entry.status is TaskStatus.COMPLETED:
                now = after.tasks[name]
                same = {"learned": entry.learned, "oversight": entry.oversight}
                assert now.model_copy(update=same) == entry
            if name in after.tasks and entry.is_abort_requested:
                now = after.tasks[name]
                assert now.is_abort_requested or not now.status.is_at_work
            elif name not in after.tasks:
                assert not entry.status.is_at_work

    def _check_state(self) -> None:
        state = self.state
        graph = {name: entry.task.depends_on for name, entry in state.tasks.items()}
        assert state.tasks.sets == PlanTasks.of(dict(state.tasks)).sets
        assert all(need in graph for needs in graph.values() for need in needs)
        assert not list(graphs.cycles({n: list(d) for n, d in graph.items()}))
        assert {n: o.choice for n, o in state.outcomes.items()} == {
            n: o.choice for n, o in self.outcomes.items()
        }
        busy = [n for n, e in state.tasks.items() if e.status.is_at_work]
        limit = state.opened.planner.max_parallel_steps if state.opened else 0
        assert len(busy) <= limit
        for effect in rules.effects(state):
            assert effect.key
        for name, entry in state.tasks.items():
            children.task_input(INPUT, state, TaskId(name), max(entry.run, 1))
        thread_details(state)
        view = self.fold.view()
        assert view is not None
        assert self.is_carried or self.fold.thread == state
        assert not set(state.requests) & set(self.outcomes)
        if state.plan_status is PlanStatus.COMPLETED:
            assert not busy


TestLifeMachine = LifeMachine.TestCase
TestLifeMachine.settings = effort(150, steps=8)
