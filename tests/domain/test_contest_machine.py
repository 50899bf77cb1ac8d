"""Whatever happens to the candidates of a task, in any order: one of them is merged, or none."""

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from domain.core.approval_commands import Reject
from domain.core.approvals import Choice
from domain.core.errors import TreadleError
from domain.core.event import EventBody
from domain.core.ids import CommandId
from domain.core.wire import Wire, lean_json
from domain.plans.templates.template import GatePolicy, PlanTemplate
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort, AbortAll, Cancel, Pause, Resume, Retry
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events
from domain.threads import rules
from domain.threads.contests import events as contest_events
from domain.threads.contests.commands import AddCandidate, Take
from domain.threads.contests.standing import hash_of, rows_of
from domain.threads.running.plan_tasks import PlanTasks
from domain.threads.state import ThreadState
from tests.domain.contest_lab import APP, ContestLab
from tests.hypothesis_profiles import effort

LETTER = st.sampled_from("abc")
PEOPLE = st.sampled_from(["ada", "bob"])


class ContestMachine(RuleBasedStateMachine):
    """A contest of three, people who decide on what they saw at some time, and runs that end anyhow."""

    @initialize(
        ends=st.sampled_from(["all", "first_passed"]),
        slots=st.integers(1, 3),
        is_automatic=st.booleans(),
    )
    def open(self, ends: str, slots: int, is_automatic: bool) -> None:
        gate = GatePolicy.AUTO if is_automatic else GatePolicy.ASK
        template = PlanTemplate(name="plain", gate=gate)
        self.lab = ContestLab(ends=ends, slots=slots, template=template)
        self.is_policy = is_automatic and ends == "first_passed"
        self.attempts = dict.fromkeys("abcdefghi", 0)
        self.seen: list[Take] = []
        self.merged: list[str] = []
        self.known = len(self.lab.events)

    # --- what candidates do

    @rule(letter=LETTER, by_policy=st.booleans())
    def passes(self, letter: str, by_policy: bool) -> None:
        if self._is_going(letter):
            self.attempts[letter] += 1
            self._do(lambda: self.lab.passes(letter, self.attempts[letter], by_policy=by_policy))

    @rule(letter=LETTER)
    def works(self, letter: str) -> None:
        if self._is_going(letter):
            self._do(lambda: self.lab.works(letter))

    @rule(letter=LETTER, end=st.sampled_from(TaskEnd))
    def ends(self, letter: str, end: TaskEnd) -> None:
        """Have a candidate end; what it says of its acceptance need not be true."""
        if not self._is_going(letter):
            return
        if end is TaskEnd.ACCEPTED:
            self._do(lambda: self.lab.ends_accepted(letter))
        else:
            self._do(lambda: self.lab.end(self.lab.name(letter), end))

    @rule()
    def hear(self) -> None:
        """Have candidates hear what was decided of them, and those that are told to abort end."""
        for letter in "abc":
            told = self.lab.told(letter)
            if told is not None and told.choice is Choice.APPROVE:
                self._do(lambda: self.lab.ends_accepted(letter))  # noqa: B023 called at once
            elif told is not None:
                self._do(lambda: self.lab.works(letter))  # noqa: B023 called at once
            elif letter in self.lab.aborting:
                name = self.lab.name(letter)
                self._do(lambda: self.lab.end(name, TaskEnd.CANCELLED))  # noqa: B023 called at once

    @rule()
    def settle(self) -> None:
        for name in self.lab.state.settling[:1]:
            self._do(lambda: self.lab.settle(name))  # noqa: B023 called at once

    # --- what people do

    @rule(letter=LETTER, by=PEOPLE)
    def look(self, letter: str, by: str) -> None:
        """See the table, and decide on it later."""
        if self.lab.asked is not None:
            self.seen.append(self.lab.taking(letter, by=by))

    @rule(which=st.integers(0, 20))
    def take(self, which: int) -> None:
        if self.seen:
            self._send(self.seen[which % len(self.seen)])

    @rule()
    def send_back(self) -> None:
        if self.lab.asked is not None:
            self._send(self.lab.verdict(self.lab.asked, Reject, "again"))

    @rule(letter=LETTER)
    def retry(self, letter: str) -> None:
        self._send(Retry(task_id=self.lab.name(letter)))

    @rule()
    def retry_all(self) -> None:
        self._send(Retry(task_id=APP))

    @rule(letter=LETTER)
    def abort(self, letter: str) -> None:
        self._send(Abort(task_id=self.lab.name(letter), by="ada"))

    @rule(what=st.sampled_from(["task", "all", "plan", "pause", "resume"]))
    def stop(self, what: str) -> None:
        commands: dict[str, Wire] = {
            "task": Abort(task_id=APP, by="ada"),
            "all": AbortAll(by="ada"),
            "plan": Cancel(by="ada"),
            "pause": Pause(by="ada"),
            "resume": Resume(by="ada"),
        }
        self._send(commands[what])

    @rule(agent=st.sampled_from(["claude", "gemini", "kimi"]))
    def add(self, agent: str) -> None:
        command_id = CommandId(f"add-{agent}")
        self._send(AddCandidate(task_id=APP, agent=agent, by="ada", command_id=command_id))

    @rule()
    def continue_as_new(self) -> None:
        carried = self.lab.state.without_old_texts()
        after = ThreadState.model_validate_json(lean_json(carried))
        assert after == carried
        before = [e.key for e in rules.effects(self.lab.state)]
        assert [e.key for e in rules.effects(after)] == before
        self.lab.state = after

    # --- the laws

    def _is_going(self, letter: str) -> bool:
        entry = self.lab.entry(letter)
        return entry.status.is_at_work and entry.end is None

    def _send(self, command: Wire) -> None:
        note(repr(command))
        before = self.lab.state
        try:
            self.lab.send(command)
        except TreadleError as error:
            note(f"  refused: {error.message[:100]}")
            assert self.lab.state == before
        self._check()

    def _do(self, act: object) -> None:
        assert callable(act)
        act()
        self._check()

    def _check(self) -> None:
        for event in self.lab.events[self.known :]:
            note(f"  {event.kind}")
            self._check_event(event)
        self.known = len(self.lab.events)
        self._check_state(self.lab.state)

    def _check_event(self, event: EventBody) -> None:
        match event:
            case thread_events.TaskMerged(task_id=task_id) if task_id.startswith("app."):
                self.merged.append(task_id)
                assert len(self.merged) == 1, "two candidates were merged"
                assert self.lab.contest.taken == task_id, "nobody took it"
            case contest_events.CandidateTaken(decision=decision):
                by_policy = decision.outcome.by == "policy"
                assert self.is_policy if by_policy else decision.outcome.by in {"ada", "bob"}
                assert not self.merged
            case contest_events.CandidatesShown(request=request, rows=rows):
                assert request.content_hash == hash_of(APP, rows)
            case _:
                pass

    def _check_state(self, state: ThreadState) -> None:
        assert state.tasks.sets == PlanTasks.of(state.tasks.everything).sets
        contest, candidates = self.lab.contest, state.tasks.candidates_of(APP)
        app = state.tasks[APP]
        if contest.request is not None:
            assert state.requests[contest.request.request_id] == contest.request
            assert contest.request.content_hash == hash_of(APP, rows_of(candidates, contest))
        if app.status is TaskStatus.COMPLETED:
            assert len(self.merged) == 1
            assert all(entry.is_over for _, entry in candidates), "a loser has not ended"
        if any(entry.status.is_at_work for _, entry in candidates):
            assert app.status.is_at_work
        elif app.status.is_at_work:
            raise AssertionError("the task is at work, and none of its candidates")
        if state.tasks["docs"].status.is_at_work:  # type: ignore[index]
            assert app.status is TaskStatus.COMPLETED
        entries = [entry.status for _, entry in candidates]
        assert TaskStatus.COMPLETED not in entries or self.merged


TestContestMachine = ContestMachine.TestCase
TestContestMachine.settings = effort(150, steps=25)
