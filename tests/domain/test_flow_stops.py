"""A run that is told to stop just as what is under way ends: what was done is done, and not done again."""

import pytest

from domain.agents.agents import StopReason
from domain.flows.definition import StepKind
from domain.flows.events import StepOutcome
from domain.flows.person_commands import ResumeFlow, StopFlow
from domain.flows.state import FlowStatus
from tests.domain.flow_world import FlowRun, FlowText


def stopping(text):
    """A run that has been told to stop, and whose step is still under way."""
    run = FlowRun(text.flow())
    run.do(StopFlow())
    assert run.state.status is FlowStatus.STOPPING
    return run


def test_a_turn_that_ends_just_as_its_run_is_stopped_is_done_and_not_asked_for_again():
    run = stopping(FlowText().llm().loop(lambda t: t.llm().judge()))
    run.say("did it")
    assert run.ended()[-1].outcome is StepOutcome.DONE
    assert (run.state.status, run.state.reason, run.state.index) == (
        FlowStatus.STOPPED,
        "stopped",
        2,
    )
    run.do(ResumeFlow(step_index=2))  # where it stands is a place to go on at
    assert run.indexes() == [0, 2]


@pytest.mark.parametrize(("word", "then"), [("yes", 2), ("no", 1)])
def test_an_answer_just_as_the_run_is_stopped_counts(word, then):
    run = stopping(FlowText().loop(lambda t: t.judge()).llm())
    run.answer(word)
    assert (run.state.status, run.state.index) == (FlowStatus.STOPPED, then)
    run.do(ResumeFlow())
    assert run.indexes() == [1, then]
    assert run.started()[-1].place.iteration == (1 if word == "no" else 0)


@pytest.mark.parametrize("end", [{"is_stopped": True}, {"stop_reason": StopReason.REFUSAL}])
def test_a_turn_that_the_stop_cut_off_is_asked_for_again(end):
    run = stopping(FlowText().llm(is_failure_passed=True).llm())
    run.say("half of it", **end)
    assert (run.state.status, run.state.index) == (FlowStatus.STOPPED, 0)


@pytest.mark.parametrize("passed", [True, False])
def test_a_command_counts_in_a_run_that_is_stopped_only_where_it_passed(passed):
    run = stopping(FlowText().add(StepKind.COMMAND, command="make").llm())
    run.run_command("stopped", passed=passed)
    assert (run.state.status, run.state.index) == (FlowStatus.STOPPED, 1 if passed else 0)


def test_a_run_that_is_stopped_in_its_last_turn_has_nothing_left_to_do_on_a_resume():
    run = stopping(FlowText().llm())
    run.say("did it")
    assert (run.state.status, run.state.index) == (FlowStatus.STOPPED, 1)
    run.do(ResumeFlow())
    assert (run.state.status, run.indexes()) == (FlowStatus.COMPLETED, [0])


def test_a_run_that_resumes_in_a_loop_goes_on_in_the_same_round():
    run = FlowRun(FlowText().loop(lambda t: t.llm(), limit=3).flow())
    run.say()
    run.say()
    run.do(StopFlow())
    run.say(is_stopped=True)
    run.do(ResumeFlow(step_index=1))
    run.say()

    assert [e.place.iteration for e in run.started()] == [0, 1, 2, 2]
    assert run.state.status is FlowStatus.COMPLETED
