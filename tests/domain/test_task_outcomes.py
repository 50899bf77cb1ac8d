"""What follows a turn or a step of a task: the gate, another try, the end, or nothing where it came late."""

from datetime import UTC, datetime

import pytest

from domain.agents.agents import DoneReport, StopReason, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn, OpenSession, SendMessage, StopTurn
from domain.core.workspaces import Snapshot
from domain.tasks import rules
from domain.tasks.agent_commands import ReportBlocked, ReportDone
from domain.tasks.commands import EndStep
from domain.tasks.events import TaskEnd
from domain.tasks.rules import RunStep
from domain.tasks.state import Phase, TaskState
from domain.verification.steps import StepResult, StepType, VerificationStep
from tests.domain.core.tank import NOW
from tests.domain.task_lab import SESSION, after, todo, working

MAKE = VerificationStep(id="make", type=StepType.COMMAND, command="make")
LOOK = VerificationStep(id="look", type=StepType.REVIEW_AGENT, prompt="Look.")


def snapshot(tree: str) -> Snapshot:
    return Snapshot(commit=tree * 40, tree=tree * 40, base="0" * 40, files=("a.py",))


def end(number: int, session: str = SESSION, **result) -> EndTurn:
    return EndTurn(result=TurnResult(turn_id=f"{session}/turn-{number}", **result))


def done(number: int, tree: str = "a") -> EndTurn:
    return end(number, report=DoneReport(summary="did it"), snapshot=snapshot(tree))


def ran(state: TaskState, *, passed: bool) -> EndStep:
    """Return the result of the step that is due."""
    due = todo(state)
    assert isinstance(due, RunStep)
    return EndStep(attempt=due.attempt, result=StepResult(step_id=due.step.id, passed=passed))


def reviewing() -> tuple[TaskState, str]:
    """Return a task whose work is being reviewed, and the reviewer's session."""
    state = after(working(verification=(LOOK,)), done(1), BeginTurn())
    assert state.running_session != SESSION
    return state, state.running_session


def test_an_agent_has_as_many_tries_as_its_retries_allow_and_no_more():
    state = working(verification=(MAKE,))
    for number in range(1, state.max_retries + 2):
        assert state.end is None
        state = after(state, done(number))
        state = after(state, ran(state, passed=False))
        if state.end is None:
            state = after(state, BeginTurn())

    assert (state.end, state.reason) == (TaskEnd.FAILED, "verification failed 4 times in a row")


def test_one_step_that_passes_starts_the_count_of_failures_anew():
    state = after(working(verification=(MAKE,)), done(1))
    state = after(state, ran(state, passed=False), BeginTurn(), done(2))
    state = after(state, ran(state, passed=True))

    assert (state.phase, state.end) == (Phase.AT_GATE, None)


@pytest.mark.parametrize(
    ("tree", "phase"), [("a", Phase.AT_GATE), ("b", Phase.VERIFYING)], ids=["same", "changed"]
)
def test_work_that_changes_at_the_gate_is_verified_again(tree: str, phase: Phase):
    state = after(working(verification=(MAKE,)), done(1))
    state = after(state, ran(state, passed=True), OpenSession())
    chat = next(name for name in state.conversations if name != SESSION)
    request = state.request
    state = after(state, SendMessage(text="rename it", session_id=chat), BeginTurn())

    state = after(state, end(1, chat, snapshot=snapshot(tree)))

    assert state.phase is phase
    assert state.request == (request if phase is Phase.AT_GATE else None)


def test_the_end_of_an_earlier_turn_changes_nothing():
    state = after(working(), SendMessage(text="go on"), end(1), BeginTurn())

    assert not rules.decide(state, done(1), NOW).events
    assert rules.decide(state, done(2), NOW).events


def test_the_end_of_a_step_that_is_not_due_changes_nothing():
    state = after(working(verification=(MAKE,)), done(1))
    late = ran(state, passed=True)

    for other in ({"attempt": 2}, {"result": StepResult(step_id="other", passed=True)}):
        assert not rules.decide(state, late.model_copy(update=other), NOW).events
    assert not rules.decide(after(state, late), late, NOW).events


def test_a_review_is_ended_by_its_reviewer_alone():
    state, _ = reviewing()
    forged = EndStep(attempt=1, result=StepResult(step_id="look", passed=True))

    assert not rules.decide(state, forged, NOW).events


@pytest.mark.parametrize(
    ("reply", "phase", "problem"),
    [
        ('```json\n{"verdict": "approve", "summary": "Fine."}\n```', Phase.AT_GATE, ""),
        ('```json\n{"verdict": "perhaps"}\n```', Phase.VERIFYING, "verdict"),
        ("I like it.", Phase.VERIFYING, ""),
    ],
    ids=["approved", "no_such_verdict", "prose"],
)
def test_a_reviewer_without_tools_reviews_in_its_reply(reply: str, phase: Phase, problem: str):
    state, reviewer = reviewing()
    events = rules.decide(state, end(1, reviewer, text=reply), NOW).events
    missed = next((event.problem for event in events if event.kind == "review_missed"), "")

    assert after(state, end(1, reviewer, text=reply)).phase is phase
    assert problem in missed
    assert bool(missed) == bool(problem)


def test_a_review_that_a_person_stops_is_not_made_and_a_person_is_asked():
    state, reviewer = reviewing()

    state = after(state, StopTurn(), end(1, reviewer, stop_reason=StopReason.CANCELLED))

    assert (state.phase, state.is_review_held) == (Phase.WAITING, True)
    assert "a person stopped it" in state.reason


def test_a_turn_that_is_stopped_while_it_waits_for_its_provider_is_over_and_no_more():
    later = datetime(2026, 1, 1, tzinfo=UTC)
    state = after(working(), end(1, retry_at=later, provider="p", limit_reason="busy"))
    assert state.turn is not None

    events = rules.decide(state, StopTurn(by="Ada"), NOW).events

    assert [event.kind for event in events] == ["turn_stop_requested", "turn_ended"]
    assert after(state, StopTurn(by="Ada")).phase is Phase.WAITING


def test_a_report_that_comes_again_is_answered_alike_and_counts_once():
    done_twice, blocked_twice = (
        [rules.decide(state, report, NOW).events for state in (working(), after(working(), report))]
        for report in (
            ReportDone(session_id=SESSION),
            ReportBlocked(session_id=SESSION, reason="no key"),
        )
    )

    assert [len(events) for events in done_twice] == [1, 0]
    assert [len(events) for events in blocked_twice] == [1, 0]
