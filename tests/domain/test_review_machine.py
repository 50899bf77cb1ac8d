"""One run of a task whose work is reviewed, in any order of turns, verdicts, deaths and people.

The model beside it is a set of trees that every required step, reviews among them, has passed.
"""

from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from domain.agents.agents import READERS, SessionRole, StopReason, TurnResult
from domain.conversations.commands import (
    BeginTurn,
    EndTurn,
    SendMessage,
    SkipWait,
    StopTurn,
    SwitchAgent,
)
from domain.conversations.effects import AwaitProvider, RunTurn
from domain.conversations.events import ConversationOpened
from domain.core.errors import TreadleError
from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId, ThreadId
from domain.core.wire import Wire, size_bytes
from domain.core.workspaces import Snapshot, WorkspaceKind
from domain.plans.plan import PlannedTask
from domain.tasks import events as task_events
from domain.tasks import rules
from domain.tasks.agent_commands import ReportDone, SubmitReview
from domain.tasks.commands import EndStep
from domain.tasks.effects import RunStep
from domain.tasks.inputs import TaskInput
from domain.tasks.prompts import prompt_of
from domain.tasks.rules import evolve
from domain.tasks.running_commands import Abort
from domain.tasks.state import Phase, TaskState
from domain.verification.steps import StepResult, StepType, VerificationStep
from tests.domain.core.tank import NOW
from tests.domain.task_lab import todo
from tests.hypothesis_profiles import effort

APPROVE = {"verdict": "approve", "summary": "Fine."}
FINDING = {"file": "a.py", "line": 1, "severity": "major", "text": "x" * 500}
CHANGES = {"verdict": "request_changes", "summary": "No.", "findings": [FINDING]}
RETRIES = 2


def review(number: int, *, required: bool, goes_on: bool) -> VerificationStep:
    return VerificationStep(
        id=f"step-{number}",
        type=StepType.REVIEW_AGENT,
        label=f"Review {number}",
        prompt="Look.",
        required=required,
        continue_on_fail=goes_on,
    )


def command(number: int) -> VerificationStep:
    return VerificationStep(id=f"step-{number}", type=StepType.COMMAND, command="make")


class ReviewMachine(RuleBasedStateMachine):
    """The run, the trees that may be shown, and whose attempts failed by the worker's fault."""

    @initialize(
        first=st.booleans(), reviews=st.lists(st.tuples(st.booleans(), st.booleans()), max_size=2)
    )
    def open(self, first: bool, reviews: list[tuple[bool, bool]]) -> None:
        steps = [command(1)] if first else []
        for required, goes_on in [(True, False), *reviews]:
            steps.append(review(len(steps) + 1, required=required, goes_on=goes_on))
        task = PlannedTask(id=TaskId("t"), title="T", verification=tuple(steps), max_turns=9)
        self.input = TaskInput(
            thread_id=ThreadId("thread-x"),
            project="p",
            repository="/r",
            host="h",
            base="b",
            branch="x",
            task=task,
            run=1,
            agent="worker",
            max_retries=RETRIES,
        )
        self.state = TaskState()
        self.tree = 0
        self.passed: dict[str, bool] = {}
        self.said: str | None = None
        self.approved: set[tuple[int, str]] = set()
        self.faults = 0
        self.count = 0
        self.send(self.input.opening())

    def send(self, given: Wire) -> bool:
        """Give the run a command; everything that follows is looked at."""
        try:
            decided = rules.decide(self.state, given, NOW)
        except TreadleError:
            return False
        for event in decided.events:
            self.state = evolve(self.state, event)
            self.watch(event)
        return True

    def watch(self, event: EventBody) -> None:
        steps = {step.id: step for step in self.state.steps}
        match event:
            case task_events.VerificationStarted():
                self.passed = {}
            case task_events.VerificationStepEnded(result=result):
                assert result.step_id not in self.passed
                if steps[result.step_id].type is StepType.REVIEW_AGENT:
                    known = (self.tree, result.step_id)
                    if known in self.approved:
                        assert result.passed
                        assert self.turning is None
                    else:
                        assert (self.said is not None) == result.is_executed
                        assert (self.said == "approve") == result.passed
                    self.approved |= {known} if result.passed else set()
                self.passed[result.step_id] = result.passed and result.is_executed
            case task_events.VerificationEnded(passed=passed, held=held):
                required = [name for name, step in steps.items() if step.required]
                assert passed == all(self.passed.get(name, False) for name in required)
                if held:
                    assert not passed
                else:
                    self.faults = 0 if passed else self.faults + 1
                    assert self.faults <= RETRIES + 1
            case task_events.GateOpened(snapshot=snapshot):
                assert snapshot is not None
                assert snapshot.tree == f"tree-{self.tree}"
                for name, step in steps.items():
                    assert self.passed.get(name, False) or not step.required, f"{name} not passed"
            case ConversationOpened(role=SessionRole.CODE_REVIEWER):
                assert event.commit == f"commit-{self.tree}"
                assert event.agent in {"worker", "other"}
                self.said = None
            case _:
                pass

    @property
    def turning(self) -> SessionRole | None:
        seat = self.state.conversations.get(self.state.running_session)
        return seat.role if seat and self.state.running_turn else None

    # --- what the workflow does

    @precondition(lambda self: isinstance(todo(self.state), RunTurn))
    @rule()
    def begin(self) -> None:
        if self.state.running_turn is None:
            self.send(BeginTurn())
        if self.turning is SessionRole.CODE_REVIEWER:
            seat = self.state.conversations[self.state.running_session]
            where = self.input.workspace_of(seat)
            assert seat.role in READERS
            assert (where.kind, where.base) == (WorkspaceKind.PLANNING, f"commit-{self.tree}")
            prompt = prompt_of(self.input, self.state)
            told = "a.py:1 (major)" in prompt.fields["findings"]
            assert told == self.was_found(seat.session_id)

    def was_found(self, session_id: str) -> bool:
        """Whether the newest review by this step that was made asked for changes."""
        results = [
            r
            for attempt in self.state.attempts
            for r in attempt.steps
            if session_id.endswith(f"-{r.step_id}") and r.is_executed
        ]
        return bool(results) and not results[-1].passed

    @precondition(lambda self: isinstance(todo(self.state), RunStep))
    @rule(passed=st.booleans())
    def step(self, passed: bool) -> None:
        due = todo(self.state)
        assert isinstance(due, RunStep)
        assert due.step.type is not StepType.REVIEW_AGENT
        self.send(
            EndStep(attempt=due.attempt, result=StepResult(step_id=due.step.id, passed=passed))
        )

    @rule(passed=st.booleans())
    def forge_a_review(self, passed: bool) -> None:
        """A step's end that no reviewer's turn gave."""
        for step in self.state.steps:
            before = self.state
            if step.type is StepType.REVIEW_AGENT:
                result = StepResult(step_id=step.id, passed=passed)
                self.send(EndStep(attempt=len(self.state.attempts), result=result))
                assert self.state == before

    # --- what agents do

    @precondition(lambda self: self.turning is SessionRole.CODE_REVIEWER)
    @rule(sent=st.sampled_from([APPROVE, CHANGES, {"verdict": "maybe"}]))
    def submit(self, sent: dict[str, Any]) -> None:
        taken = self.send(SubmitReview(session_id=self.state.running_session, review=sent))
        assert taken == (sent["verdict"] != "maybe")
        self.said = sent["verdict"] if taken else self.said

    @rule(who=st.sampled_from(["thread-x/t/session-1", "thread-x/t/session-9"]))
    def submit_as_another(self, who: str) -> None:
        assert not self.send(SubmitReview(session_id=SessionId(who), review=APPROVE))

    @precondition(lambda self: self.turning is not None)
    @rule(
        how=st.sampled_from(["ends", "ends", "ends", "dies", "waits", "replies", "rambles"]),
        is_changed=st.booleans(),
    )
    def end(self, how: str, is_changed: bool) -> None:
        turn, role = self.state.running_turn, self.turning
        assert turn is not None
        if role is SessionRole.TASK and how != "waits":
            self.send(ReportDone(session_id=self.state.running_session))
            self.tree += is_changed
        said = {
            "replies": '```json\n{"verdict": "approve", "summary": ""}\n```',
            "rambles": '```json\n{"verdict": "yes"}\n```',
        }
        is_review = role is SessionRole.CODE_REVIEWER
        if is_review and how == "replies" and self.said is None:
            self.said = "approve"
        result = TurnResult(
            turn_id=turn,
            failure="it exited" if how == "dies" and is_review else None,
            retry_at="2026-01-01T00:00:00Z" if how == "waits" else None,
            text=said.get(how, ""),
            duration_ms=1_000,
            snapshot=None
            if is_review
            else Snapshot(commit=f"commit-{self.tree}", tree=f"tree-{self.tree}", base="b"),
        )
        self.send(EndTurn(result=result))

    # --- what people do

    @rule(what=st.sampled_from(["say", "stop", "skip", "switch", "late", "carry"]))
    def person(self, what: str) -> None:
        self.count += 1
        was_held = self.state.is_review_held
        attempts = len(self.state.attempts)
        match what:
            case "say":
                self.send(SendMessage(text="hi", command_id=f"c-{self.count}"))
            case "stop":
                is_turning = self.turning is not None
                assert self.send(StopTurn()) == is_turning
                turn = self.state.running_turn
                if turn is not None:
                    stopped = TurnResult(turn_id=turn, stop_reason=StopReason.CANCELLED)
                    self.send(EndTurn(result=stopped))
            case "skip":
                waits = isinstance(todo(self.state), AwaitProvider)
                assert self.send(SkipWait(command_id=f"c-{self.count}")) == (was_held or waits)
                if was_held:
                    assert len(self.state.attempts) == attempts + 1
            case "switch":
                self.send(SwitchAgent(agent="other", command_id=f"c-{self.count}"))
            case "late":
                self.send(EndTurn(result=TurnResult(turn_id="thread-x/t/session-1/turn-77")))
            case _:
                self.state = self.state.without_old_texts()
                assert size_bytes(self.state) < 64 << 10

    @precondition(lambda self: self.count > 30)
    @rule()
    def abort(self) -> None:
        self.send(Abort())

    @invariant()
    def somebody_is_awaited(self) -> None:
        """Something is to do, or a person is asked, or it is over: it never hangs."""
        if not hasattr(self, "state"):
            return
        state = self.state
        is_asked = state.phase in {Phase.AT_GATE, Phase.WAITING} and bool(state.waiting_for)
        assert todo(state) is not None or is_asked or state.end is not None
        if state.is_review_held:
            assert state.phase is Phase.WAITING
            assert "was not made" in state.waiting_for


TestReviews = ReviewMachine.TestCase
TestReviews.settings = effort(40, steps=40)
