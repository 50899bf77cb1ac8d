"""What a report counts of which events."""

from datetime import timedelta

import pytest

from domain.agents.agents import Usage, UsageSource
from domain.conversations.events import (
    AgentSwitched,
    ConversationOpened,
    RoleChanged,
    TurnDelayed,
    TurnResumed,
)
from domain.core.approvals import Choice, Decider, Subject
from domain.reading.report.projection import is_counted
from domain.tasks.conflicts import Conflict
from domain.tasks.events import (
    GateDecided,
    GateOpened,
    TaskEnded,
    VerificationEnded,
    VerificationStarted,
)
from domain.threads.events import PlanCompleted, PlanDecided, PlanRequested, PlanStatusChanged
from domain.threads.merging.events import ConflictAnswered, ConflictFound, ConflictResolved
from domain.threads.planning.events import PlanSuperseded
from tests.domain.report_lab import (
    T0,
    answered,
    conversation,
    counted,
    opened,
    outcome,
    proposed,
    reported,
    request,
    started,
    step,
    turn_began,
    turn_over,
    updated,
)

END = PlanCompleted(plan_id="p", final_status="completed", summary="s")
GATE = GateOpened(request=request("g", Subject.GATE))


def waits(report):
    return {w.cause: (w.took.count, w.took.total_ms, w.waiting_now) for w in report.waits}


def test_a_plan_counts_by_its_end_with_the_time_since_its_start():
    report = reported([(0, started("a")), (90, END)])
    assert report.plans.ended == {"completed": 1}
    assert report.plans.took.median_ms == 90_000


@pytest.mark.parametrize(
    ("told", "unfinished"),
    [
        ([(1, updated("a", "running"))], "running"),
        ([(1, PlanStatusChanged(plan_id="p", status="paused"))], "paused"),
        ([(1, updated("a", "running")), (2, updated("a", "failed"))], "stalled"),
    ],
)
def test_a_plan_that_has_not_ended_counts_as_it_stands(told, unfinished):
    report = reported([(0, started("a")), *told])
    assert report.plans.unfinished == {unfinished: 1}
    assert report.plans.ended == {}


@pytest.mark.parametrize(
    ("status", "unfinished"), [("cancelled", "stalled"), ("completed", "running")]
)
def test_a_plan_whose_pending_tasks_wait_for_an_aborted_one_counts_as_stalled(status, unfinished):
    told = [
        (0, proposed(a=(), b=("a",))),
        (1, PlanDecided(revision=1, outcome=outcome("plan-1"))),
        (2, started("a", "b")),
        (3, updated("a", "running")),
        (4, PlanStatusChanged(plan_id="p", status="paused")),  # `treadle abort-all`
        (5, updated("a", status)),
        (6, PlanStatusChanged(plan_id="p", status="active")),
    ]
    assert reported(told).plans.unfinished == {unfinished: 1}


def test_a_task_that_failed_and_was_retried_counts_once_by_its_newest_end():
    report = reported(
        [
            (0, started("a")),
            (1, updated("a", "running")),
            (5, updated("a", "failed", notes="verification failed 4 times in a row")),
            (6, updated("a", "running", run=2)),
            (9, updated("a", "completed", run=2)),
            (9, END),
        ]
    )
    assert report.tasks.ended == {"completed": 1}
    assert report.tasks.took.total_ms == 8_000
    assert (report.repeats.task_runs, report.repeats.task_runs_again) == (2, 1)
    assert [(f.what, f.cause, f.count) for f in report.failures] == [
        ("task", "verification failed # times in a row", 1)
    ]


def test_what_is_told_late_of_an_earlier_plan_is_not_of_the_newer_one():
    late = updated("a", "cancelled").model_copy(update={"plan_id": "earlier"})
    report = reported([(0, started("a")), (1, updated("a", "running")), (2, late)])
    assert report.tasks.unfinished == {"running": 1}


def test_a_task_waits_for_the_last_of_those_it_depends_on():
    report = reported(
        [
            (0, proposed(a=(), b=(), c=("a", "b"))),
            (1, PlanDecided(revision=1, outcome=outcome("plan-1"))),
            (1, started("a", "b", "c")),
            (2, updated("a", "running")),
            (4, updated("b", "running")),
            (11, updated("a", "completed")),
            (31, updated("b", "completed")),
            (60, updated("c", "running")),
        ]
    )
    assert waits(report) == {"dependency": (1, 30_000, 0), "plan_approval": (1, 1_000, 0)}


def test_waits_end_with_what_ends_them_and_others_wait_now():
    report = reported(
        [
            (0, proposed(a=())),
            (10, PlanSuperseded(revision=1, request_id="plan-1", by_revision=2)),
            (10, ConflictFound(conflict=Conflict(task_id="a", run=1, commit="c"))),
            (12, ConflictAnswered(task_id="a", how="by_hand")),
        ],
        [(0, GATE)],
        [(0, GATE), (7, TaskEnded(end="cancelled"))],
    )
    assert waits(report) == {
        "plan_approval": (1, 10_000, 0),
        "gate": (1, 7_000, 1),
        "conflict": (0, 0, 1),
    }


def test_nobody_waits_for_a_plan_any_more_when_planning_begins_anew():
    again = PlanRequested(goal="g", session_id="s2")
    assert waits(reported([(0, proposed(a=())), (4, again)])) == {"plan_approval": (1, 4_000, 0)}


def test_a_conflict_that_is_resolved_by_hand_waits_until_it_is():
    found = ConflictFound(conflict=Conflict(task_id="a", run=1, commit="c"))
    snapshot = {"commit": "c", "tree": "t", "base": "b"}
    report = reported(
        [
            (0, found),
            (5, ConflictAnswered(task_id="a", how="by_hand")),
            (50, ConflictResolved(task_id="a", run=2, snapshot=snapshot)),
        ]
    )
    assert waits(report) == {"conflict": (1, 50_000, 0)}


def test_nobody_waited_for_what_the_policy_decided():
    decided = GateDecided(outcome=outcome("g", decider=Decider.POLICY))
    report = reported([(0, GATE), (0, decided)])
    assert report.waits == ()
    assert report.repeats.gates == 0


def test_a_turn_that_its_provider_refuses_twice_waits_twice():
    delayed = TurnDelayed(
        session_id="s",
        turn_id="turn",
        provider="p",
        reason="429",
        until=T0 + timedelta(minutes=1),
        refusals=1,
    )
    resumed = TurnResumed(session_id="s", turn_id="turn")
    report = reported([(0, delayed), (60, resumed), (61, delayed), (91, answered())])
    assert waits(report) == {"rate_limit": (2, 90_000, 0)}
    assert report.repeats.provider_refusals == 2


def test_a_review_that_was_not_made_waits_until_the_task_goes_on():
    held = VerificationEnded(attempt=1, passed=False, held="review was not made")
    report = reported([(0, held), (40, VerificationStarted(attempt=2))])
    assert waits(report) == {"review": (1, 40_000, 0)}
    assert (report.repeats.verifications, report.repeats.verifications_again) == (1, 1)


def test_steps_count_by_their_label_the_most_failing_first():
    report = reported(
        [
            (0, step("lint", passed=True, duration_ms=10)),
            (1, step("tests", passed=False, duration_ms=30)),
            (2, step("tests", passed=True, duration_ms=10)),
            (3, step("review", passed=False, is_executed=False)),
        ]
    )
    assert [(s.label, s.failed, s.ran, s.not_made) for s in report.steps] == [
        ("tests", 1, 2, 0),
        ("review", 0, 1, 1),
        ("lint", 0, 1, 0),
    ]
    assert report.steps[0].took.median_ms == 20


def test_a_rejected_change_is_one_that_was_sent_back():
    rejected = GateDecided(outcome=outcome("g", Choice.REJECT))
    report = reported([(0, GATE), (1, rejected), (2, GATE), (3, GateDecided(outcome=outcome("g")))])
    assert (report.repeats.gates, report.repeats.gates_rejected) == (2, 1)


def test_turns_count_for_the_agent_that_made_them_and_for_their_kind_of_work():
    told = Usage(input_tokens=10, output_tokens=2, cost=0.1, currency="USD")
    reviewer = ConversationOpened(session_id="s2", role="code_reviewer", agent="codex", model="o")
    of_task = [
        (0, opened("docs")),
        (1, turn_began()),
        (2, turn_over(usage=told, ms=500)),
        (3, reviewer),
        (4, turn_began("s2")),
        (5, turn_over(usage=told, session="s2")),
        (6, AgentSwitched(session_id="s1", agent="gemini")),
        (7, turn_began("s1")),
        (8, turn_over(failure="it exited with code 3")),
    ]
    report = reported(of_task, [(0, conversation("planner", "claude")), (1, answered(told))])
    by_agent = {
        (a.agent, a.model): (a.turns, a.input_tokens, a.costs, a.failed_turns)
        for a in report.by_agent
    }
    assert by_agent == {
        ("claude", ""): (2, 20, {"USD": 0.2}, 0),
        ("codex", "o"): (1, 10, {"USD": 0.1}, 0),
        ("gemini", ""): (1, 0, {}, 1),
    }
    by_mode = {m.mode: (m.turns, m.agents) for m in report.by_mode}
    assert by_mode == {
        "docs": (2, ("claude", "gemini")),
        "planning": (1, ("claude",)),
        "review": (1, ("codex",)),
    }
    assert [(f.what, f.cause) for f in report.failures] == [("turn", "it exited with code #")]


def test_sums_say_where_an_agent_told_less():
    partial = Usage(input_tokens=5, source=UsageSource.LAST_CALL)
    untold = Usage(cost=1.0, currency="EUR", source=UsageSource.UNTOLD)
    line = reported([(0, answered(partial)), (1, answered(untold)), (2, answered())]).by_agent[0]
    assert (line.partial_turns, line.unreported_turns, line.costs) == (1, 2, {"EUR": 1.0})


def test_what_sessions_of_a_task_do_is_counted_in_the_task_alone():
    assert is_counted("thread-a")
    assert is_counted("thread-a/task-1")
    assert is_counted("flow-x-1/session-1")
    assert not is_counted("thread-a/task-1/session-1")
    assert not is_counted("thread-a/session-1/terminal-1")


def test_only_what_ended_since_then_counts_with_its_whole_time():
    told = [(0, GATE), (100, GateDecided(outcome=outcome("g"))), (300, GATE)]
    late, later = (T0 + timedelta(seconds=s) for s in (50, 200))
    assert waits(reported(told, since=late)) == {"gate": (1, 100_000, 1)}
    assert waits(reported(told, since=later)) == {"gate": (0, 0, 1)}
    assert counted(*told, since=later).events == 1


def test_turns_of_the_work_are_counted_in_its_own_stream_alone():
    of_session = [
        (0, conversation("planner", "claude")),
        (1, answered()),
        (2, RoleChanged(session_id="s", role="task")),
        (3, answered()),
        (4, RoleChanged(session_id="s", role="chat")),
        (5, answered()),
    ]
    of_work = [(2, opened().model_copy(update={"session_id": "s"})), (3, answered())]
    report = reported(of_session, of_work)
    assert sum(agent.turns for agent in report.by_agent) == 3
