"""What later files of codeInfo2 have: breaks that leave the flow, scripts, reingest."""

import pytest

from domain.flows.checks import surprises
from domain.flows.definition import StepKind
from domain.flows.events import StepOutcome
from domain.flows.person_commands import ResumeFlow, StopFlow
from domain.flows.state import FlowStatus
from tests.domain.flow_lab import CODER, judge, llm, nested, problems, read
from tests.domain.flow_world import FlowRun, FlowText

GATE = {**CODER, "question": "Is it blocked?"}
SCRIPT = "scripts/flow_control/is_done.py"


def run_of(*steps):
    return FlowRun(read(*steps))


@pytest.mark.parametrize("is_in_loop", [True, False])
def test_a_break_with_exit_flow_completes_the_flow(is_in_loop):
    gate = judge(**GATE, exitFlow=True)
    run = run_of(nested(llm(), nested(gate, llm())) if is_in_loop else gate, llm())
    if is_in_loop:
        run.say("did it")
    run.answer("yes")

    assert run.ended()[-1].outcome is StepOutcome.BROKE
    assert run.state.status is FlowStatus.COMPLETED
    assert "Flow" not in run.state.reason


@pytest.mark.parametrize("is_in_loop", [True, False])
def test_a_break_with_halt_flow_stops_it_there_and_a_resume_asks_again(is_in_loop):
    gate = judge(**GATE, haltFlow=True, label="Blocked")
    run = run_of(nested(gate, llm()) if is_in_loop else gate, llm())
    at = 1 if is_in_loop else 0
    run.answer("yes")

    assert (run.state.status, run.state.index) == (FlowStatus.STOPPED, at)
    assert run.state.reason == f"step {at} 'Blocked' halts the flow: the answer is yes"

    run.do(ResumeFlow())
    run.answer("no")
    assert run.indexes() == [at, at, at + 1]


def test_a_break_that_leaves_the_flow_goes_on_where_the_answer_is_the_other_one():
    run = run_of(judge(**GATE, exitFlow=True), llm())
    run.answer("no")
    assert run.indexes() == [0, 1]


def test_a_flow_that_is_left_just_as_it_is_stopped_has_completed():
    run = run_of(judge(**GATE, exitFlow=True), llm())
    run.do(StopFlow())
    run.answer("yes")
    assert run.state.status is FlowStatus.COMPLETED


def test_a_break_on_failure_leaves_its_loop_where_the_answer_is_none():
    run = run_of(nested(judge(**GATE, breakOnFailure=True), llm()), llm())
    run.say("maybe")
    run.say("perhaps")

    assert (run.ended()[-1].outcome, run.ended()[-1].reason) == (
        StepOutcome.BROKE,
        "no valid answer",
    )
    assert run.indexes() == [1, 3]


def test_a_break_on_failure_leaves_its_loop_where_its_turn_or_command_fails():
    run = run_of(nested(judge(**GATE, breakOnFailure=True), llm()), llm())
    run.say("", failure="its model is gone")
    assert run.indexes() == [1, 3]

    script = judge(decisionScript=SCRIPT, breakOnFailure=True)
    run = run_of(nested(script, llm()), llm())
    run.run_command("no such file", passed=False, exit_code=2)
    assert run.indexes() == [1, 3]


@pytest.mark.parametrize(
    ("output", "passed", "status", "indexes"),
    [
        ('{"answer": "yes"}', True, FlowStatus.RUNNING, [1, 3]),
        ('{"answer": "no"}', True, FlowStatus.RUNNING, [1, 2]),
        ("fine", True, FlowStatus.FAILED, [1]),
        ('{"answer": "yes"}', False, FlowStatus.FAILED, [1]),
    ],
)
def test_a_script_decides_by_what_it_prints_in_the_place_of_its_agent(
    output, passed, status, indexes
):
    run = run_of(nested(judge(**GATE, decisionScript=SCRIPT), llm()), llm())
    assert run.state.definition.commands == (f"python3 {SCRIPT}",)

    run.run_command(output, passed=passed, exit_code=0 if passed else 1)

    assert (run.state.status, run.indexes()) == (status, indexes)


@pytest.mark.parametrize(
    "path", ["/etc/x.py", "../x.py", "a/../../x.py", "-c.py", "x.sh", "~/x.py"]
)
def test_a_script_is_a_python_file_of_the_repository(path):
    assert problems({"steps": [nested(judge(decisionScript=path), llm())]}) == [
        (1, "steps[0].steps[0].decisionScript", "bad_value")
    ]


def test_a_break_leaves_the_flow_in_one_way_and_has_one_condition():
    both = judge(**GATE, exitFlow=True, haltFlow=True)
    assert problems({"steps": [both, llm()]}) == [(0, "steps[0].haltFlow", "bad_value")]

    two = judge(command="make", decisionScript=SCRIPT)
    assert problems({"steps": [nested(two, llm())]}) == [
        (1, "steps[0].steps[0].decisionScript", "bad_value")
    ]


def test_a_break_outside_of_loops_must_leave_the_flow():
    assert problems({"steps": [judge(**GATE, exitFlow=False)]}) == [
        (0, "steps[0].type", "loop_mismatch")
    ]


def test_a_break_that_leaves_the_flow_ends_all_loops_around_it():
    flow = read(nested(llm(), nested(llm(), judge(**GATE, haltFlow=True))))
    assert not list(surprises(flow))


def test_reingest_is_passed_over_and_said_to_be():
    reingest = {"type": "reingest", "target": "plan_scope"}
    run = run_of(reingest, nested({**reingest, "label": "Again"}, llm(), judge()))

    assert run.indexes() == [0, 2, 3]
    assert run.ended()[0].outcome is StepOutcome.DONE
    assert list(surprises(run.state.definition)) == [
        "steps 0, 2: reingest is passed over, for agents read the files as they are"
    ]


@pytest.mark.parametrize("more", [{}, {"target": "working", "sourceId": "x"}])
def test_reingest_has_one_source(more):
    assert problems({"steps": [{"type": "reingest", **more}]}) == [
        (0, "steps[0].target", "missing_field")
    ]


def test_a_loop_of_reingest_alone_would_never_rest():
    step = {"type": "reingest", "sourceId": "shop"}
    assert problems({"steps": [nested(step)]}) == [(0, "steps[0].type", "bad_value")]


def test_a_step_by_hand_leaves_its_loop_by_default():
    flow = FlowText().loop(lambda t: t.judge()).flow()
    run = FlowRun(flow)
    run.answer("yes")
    assert run.state.status is FlowStatus.COMPLETED
    assert flow.steps[1].kind is StepKind.BREAK
