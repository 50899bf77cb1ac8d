"""A run of a flow with steps of every kind, stopped and resumed anywhere, twice, and answered late."""

from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from domain.core.errors import TreadleError
from domain.flows.commands import EndCommand, EndWait
from domain.flows.person_commands import ResumeFlow, StopFlow
from domain.flows.program import around
from domain.flows.state import FlowStatus
from domain.verification.steps import StepResult
from tests.domain.flow_lab import CODER, judge, llm, nested, read
from tests.domain.flow_world import FlowRun
from tests.hypothesis_profiles import effort

ASKED = {**CODER, "question": "Is it?"}
REINGEST = {"type": "reingest", "target": "working"}
FLOW = read(
    REINGEST,
    llm("a", "b"),
    nested(
        judge("continue"),
        nested(
            llm(continueOnFailure=True),
            REINGEST,
            judge(**ASKED, breakOnFailure=True),
            {"type": "reset", **CODER},
            judge(decisionScript="is_done.py", exitFlow=True),
        ),
        {
            "type": "if",
            "command": "make",
            "then": [{"type": "human", "question": "Well?", "options": ["a", "b"]}],
            "else": [judge(**ASKED, haltFlow=True), {"type": "wait", "seconds": 5}],
        },
        judge(),
        maxIterations=3,
    ),
    {"type": "command", "command": "make", "continueOnFailure": True},
)
MOVES = st.one_of(
    st.sampled_from(["yes", "no", "stop", "cut", "nonsense", "late", "resume"]),
    st.integers(-1, FLOW.total),
)


class Attack(FlowRun):
    """Does what it is told, where the rules let it; a refusal changes nothing."""

    def move(self, what) -> None:
        before = self.state
        try:
            self._move(what)
        except (TreadleError, ValidationError):
            assert self.state == before

    def _move(self, what) -> None:
        match what:
            case int():
                self.do(ResumeFlow(step_index=what))
            case "resume":
                self.do(ResumeFlow())
            case "stop":
                self.do(StopFlow())
            case "cut" | "nonsense" if self.state.conversation is not None:
                self.say("so so", is_stopped=what == "cut")
            case "late" if self.state.visits:
                before, visit = self.state, self.state.visits - 1
                self.do(EndCommand(visit=visit, result=StepResult(step_id="s", passed=True)))
                self.do(EndWait(visit=visit))
                assert self.state == before
            case "yes" | "no":
                self.go(what)
            case _:
                pass

    def check(self) -> None:
        steps, state = self.state.definition.steps, self.state
        assert 0 <= state.position <= len(steps)
        if state.position < len(steps):
            opened = tuple(frame.position for frame in state.loops)
            assert opened == around(steps, state.position)
        if state.status in {FlowStatus.STOPPED, FlowStatus.FAILED, FlowStatus.COMPLETED}:
            assert state.step is None


@given(st.lists(MOVES, max_size=40))
def test_a_run_knows_its_place_whatever_is_done_to_it_when(moves):
    run = Attack(FLOW)
    for move in moves:
        run.move(move)
        run.check()


@given(st.integers(0, FLOW.total - 1), st.integers(0, FLOW.total - 1), st.integers(0, 12))
@effort(50)
def test_of_two_resumes_at_once_one_counts(first, second, done):
    run = Attack(FLOW)
    for _ in range(done):
        run.move("no")
    run.move("stop")
    run.move("cut")
    run.move(first)
    if run.state.status is FlowStatus.RUNNING:
        resumed = run.state
        run.move(second)
        assert run.state == resumed
    run.check()
