"""What events add to the metrics."""

import pytest

from domain.agents.agents import StopReason, TurnResult, Usage
from domain.agents.spending import Taken
from domain.conversations.events import AgentNotice, TurnDelayed, TurnEnded, TurnSlept
from domain.core.approvals import Choice, Decider
from domain.core.event import EventBody
from domain.core.lifecycle.events import SessionMergeEnded
from domain.flows.events import FlowCompleted
from domain.reading.measures import families as of
from domain.reading.measures.events import KINDS, measures_of, told_of
from domain.tasks.events import GateDecided, TaskEnd, TaskEnded, VerificationEnded
from domain.threads.landing.events import BranchMerged
from tests.domain.report_lab import NOW, outcome, step

USAGE = Usage(input_tokens=100, output_tokens=20, cost=0.25, currency="USD")
RESULT = TurnResult(
    turn_id="turn-1",
    agent="codex",
    model="gpt",
    usage=USAGE,
    tool_calls=3,
    tool_failures=1,
    duration_ms=1500,
    text="the prompt's answer",
)


def added(body: EventBody) -> dict[str, dict[tuple[str, ...], float]]:
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for measure in measures_of(body):
        assert len(measure.labels) == len(measure.family.labels)
        assert measure.family in of.OF_EVENTS
        found.setdefault(measure.family.name, {})[measure.labels] = measure.amount
    return found


def test_a_turn_adds_its_time_tokens_money_and_tools():
    assert added(TurnEnded(session_id="s", result=RESULT)) == {
        "treadle_turns_total": {("codex", "end_turn"): 1},
        "treadle_turn_seconds": {("codex",): 1.5},
        "treadle_tokens_total": {("codex", "gpt", "input"): 100, ("codex", "gpt", "output"): 20},
        "treadle_cost_total": {("codex", "gpt", "USD"): 0.25},
        "treadle_tool_calls_total": {("codex", "ok"): 2, ("codex", "failed"): 1},
    }


def test_a_failed_turn_is_a_failure_whatever_its_stop_reason():
    result = TurnResult(turn_id="t", agent="a", failure="no", stop_reason=StopReason.CANCELLED)
    found = added(TurnEnded(session_id="s", result=result))
    assert found["treadle_turns_total"] == {("a", "failed"): 1}


def test_what_a_turn_took_before_it_was_held_counts_and_is_no_turn():
    taken = Taken(agent="codex", model="gpt", usage=USAGE)
    slept = TurnSlept(session_id="s", turn_id="t", refusals=0, taken=taken)
    assert set(added(slept)) == {"treadle_tokens_total", "treadle_cost_total"}
    delayed = TurnDelayed(
        session_id="s", turn_id="t", provider="openai", reason="no", until=NOW, refusals=1
    )
    assert added(delayed) == {"treadle_turn_delays_total": {("openai",): 1}}


@pytest.mark.parametrize(
    ("body", "family", "labels"),
    [
        (VerificationEnded(attempt=1, passed=True), of.VERIFICATIONS, ("passed",)),
        (VerificationEnded(attempt=1, passed=False), of.VERIFICATIONS, ("failed",)),
        (VerificationEnded(attempt=1, passed=False, held="x"), of.VERIFICATIONS, ("held",)),
        (
            VerificationEnded(attempt=1, passed=True, has_steps=False),
            of.VERIFICATIONS,
            ("without_steps",),
        ),
        (step("tests of /home/ann/app", passed=False), of.STEP_TIME, ("failed",)),
        (step("tests", passed=False, is_executed=False), of.STEP_TIME, ("not_executed",)),
        (BranchMerged(branch="b", target="main", commit="c"), of.MERGES, ("branch", "merged")),
        (
            BranchMerged(branch="b", target="main", commit="c", failure="no"),
            of.MERGES,
            ("branch", "failed"),
        ),
        (
            SessionMergeEnded(session_id="s", number=1, conflicts=("a",)),
            of.MERGES,
            ("chat", "conflict"),
        ),
        (TaskEnded(end=TaskEnd.FAILED, reason="x"), of.TASKS, ("failed",)),
        (FlowCompleted(), of.FLOW_RUNS, ("completed",)),
        (
            GateDecided(outcome=outcome("g", Choice.REJECT, decider=Decider.POLICY)),
            of.DECISIONS,
            ("gate", "reject", "policy"),
        ),
    ],
)
def test_what_ends_is_counted_by_how_it_did(body, family, labels):
    assert list(added(body)[family.name]) == [labels]


def test_every_kind_that_is_read_adds_something_and_others_nothing():
    assert {"turn_ended", "task_merged", "plan_completed", "flow_failed"} <= KINDS
    assert not added(AgentNotice(turn_id="t", message="hello"))
    assert "agent_notice" not in KINDS


def test_a_turn_that_two_streams_have_is_known_again():
    first = TurnEnded(session_id="s", result=RESULT)
    cut = TurnEnded(session_id="s", result=RESULT.model_copy(update={"text": ""}))
    assert told_of(first) == told_of(cut) != ""
    assert told_of(VerificationEnded(attempt=1, passed=True)) == ""
