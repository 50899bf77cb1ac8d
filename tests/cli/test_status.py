"""What a person sees of a thread, at the widths of terminals and of a pipe."""

import io
from datetime import UTC, datetime

import pytest
from rich.console import Console

from cli.tasks import session_drawing
from cli.threads.status import details, outstanding, progress, summary
from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import WORK
from domain.plans.plan import Decision, DecisionOption
from domain.plans.status import PlanStatus
from domain.reading.views import OpenRequest, SessionView, TaskView
from domain.tasks.status import TaskStatus
from domain.threads.merging.overlaps import Overlap
from domain.threads.progress import Progress
from domain.threads.shown import ShownDecision
from domain.verification.steps import StepResult, VerificationAttempt
from tests.cli.test_commands import THREAD, VIEW

LONG = "the tests of the report fail because the total is off by one in leap years " * 3


def task(name, status, **more):
    return TaskView(task_id=name, title=f"Do {name} with care", status=TaskStatus(status), **more)


RUNNING = VIEW.model_copy(
    update={
        "status": "waiting",
        "plan_status": PlanStatus.ACTIVE,
        "approved": 2,
        "version": 3,
        "requests": (),
        "progress": Progress(done=1, total=5),
        "tasks": (
            task("parse", "completed", merge_commit="a1b2c3d4e5f6"),
            task("show", "running", doing="verifying (attempt 2): unit"),
            task("docs", "pending", doing="waits for show", depends_on=("show",)),
            task("totals", "failed", notes=LONG),
            task("report", "blocked", notes="totals failed", depends_on=("totals",)),
        ),
        "sessions": (
            SessionView(
                session_id=f"{THREAD}/session-2",
                role="chat",
                agent="codex",
                model="o9",
                is_working=True,
                tool_calls=4,
                files=("a.py",),
            ),
        ),
        "decisions": (
            ShownDecision.of(
                Decision(
                    id="lib",
                    question="Which library?",
                    options=(DecisionOption(label="rich"), DecisionOption(label="plain text")),
                )
            ),
        ),
        "overlaps": (Overlap(file="a.py", by=("session-2", "show")),),
        "warnings": ("80 % of the budget is used",),
    }
)


def drawn(renderable, width):
    console = Console(width=width, record=True, file=io.StringIO(), force_terminal=False)
    console.print(renderable)
    return console.export_text()


@pytest.mark.parametrize("width", [60, 80, 130, 4000])
def test_every_width_shows_all_that_a_person_must_know(width):
    text = drawn(details(RUNNING), width)
    flat = " ".join(text.split())
    for told in (
        "] 1/5 plan 2, version 3: active",
        "verifying (attempt 2): unit",
        "waits for show",
        "session-2 (chat, codex o9) working, 4 tool calls",
        "80 % of the budget is used",
        "a.py was changed by session-2, show",
        "Which library?",
        "'plain text'",
        "off by one",
    ):
        assert told in flat
    assert f"treadle retry {THREAD} totals" in flat
    assert all(len(line) <= width for line in text.splitlines())
    assert "← show" in flat


def test_a_turn_that_its_provider_refused_is_no_work_and_names_the_way_on():
    until = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    waits = {"waits_until": until, "waits_for": "too many requests", "refusals": 1}
    session = RUNNING.sessions[0].model_copy(update=waits)
    flat = " ".join(
        drawn(details(RUNNING.model_copy(update={"sessions": (session,)})), 200).split()
    )

    assert "works" not in flat
    assert "waiting for its provider until 2026-01-02 03:04 UTC: too many requests" in flat
    assert f"treadle skip-wait {THREAD} 2" in flat


def test_a_turn_that_waits_for_money_names_what_answers_it_and_no_way_around():
    until = datetime(2026, 2, 1, tzinfo=UTC)
    reason = "$1.10 of $1.00 for the thread"
    waits = {"waits_until": until, "waits_for": reason, "is_over_limit": True}
    session = RUNNING.sessions[0].model_copy(update=waits)
    view = RUNNING.model_copy(update={"sessions": (session,)})
    flat = " ".join(drawn(details(view), 200).split())

    assert f"waiting for a spending limit: {reason}" in flat
    assert f"{reason}: raise it, or stop what waits: treadle money" in flat
    assert "skip-wait" not in flat
    assert "2026-02-01" not in flat
    listed = drawn(session_drawing.drawn(view.sessions), 200)
    assert "waiting for a spending limit" in listed
    assert "provider" not in listed


def test_a_turn_that_waits_for_others_at_a_limit_asks_nobody():
    until = datetime(2026, 2, 1, tzinfo=UTC)
    waits = {"waits_until": until, "waits_for": "1 running turn may use what is left"}
    session = RUNNING.sessions[0].model_copy(update=waits)
    flat = " ".join(
        drawn(details(RUNNING.model_copy(update={"sessions": (session,)})), 200).split()
    )

    assert "waiting for room under a spending limit: 1 running turn may use what is left" in flat
    assert "treadle money" not in flat


def test_what_is_fixed_first_is_reported():
    lines = outstanding(RUNNING)
    assert lines[0].endswith(f"(treadle retry {THREAD} totals)")
    assert lines[1] == "report blocked: totals failed (after totals)"


def test_a_plan_that_is_over_lists_its_failures_without_a_command():
    over = RUNNING.model_copy(update={"plan_status": PlanStatus.CANCELLED, "status": "cancelled"})
    assert all("retry" not in line for line in outstanding(over))
    assert "totals failed" in drawn(summary(over), 80)


def test_of_hundreds_of_tasks_the_completed_ones_are_counted():
    tasks = tuple(task(f"t{n}", "completed") for n in range(300)) + RUNNING.tasks
    text = drawn(progress(RUNNING.model_copy(update={"tasks": tasks})), 80)
    assert len(text.splitlines()) < 40
    assert "… and 301 more" in text


def test_a_piped_screen_has_each_thing_on_one_line():
    lines = drawn(progress(RUNNING), 4000).splitlines()
    assert len([line for line in lines if "totals failed:" in line and "leap years" in line]) == 1


def test_planning_without_a_plan_waits_for_you():
    view = VIEW.model_copy(
        update={
            "status": "failed",
            "requests": (),
            "tasks": (),
            "planning_failure": "3 turns without a plan",
            "waiting_for": "a new attempt at planning: 3 turns without a plan",
        }
    )
    for page in (drawn(progress(view), 80), drawn(summary(view), 80)):
        assert "waiting for you" in page
        assert "failed" not in page
    assert f"treadle replan {THREAD}" in drawn(progress(view), 200)


GATE = ApprovalRequest(
    request_id=f"{WORK}/gate-1-2",
    subject=Subject.GATE,
    title="Write a note",
    content_hash="a1" * 32,
)
AT_GATE = RUNNING.model_copy(
    update={
        "approved": 1,
        "version": 1,
        "progress": Progress(done=0, total=0),
        "tasks": (),
        "decisions": (),
        "overlaps": (),
        "warnings": (),
        "requests": (OpenRequest(request=GATE, workflow_id=f"{THREAD}/{WORK}", task_id=WORK),),
        "sessions": (
            SessionView(session_id=f"{THREAD}/session-1", role="work", agent="codex", turns=3),
        ),
        "work": TaskView(
            task_id=WORK,
            title="Write a note",
            status=TaskStatus.RUNNING,
            doing="waiting for approval",
            run=1,
            request=GATE,
            attempts=(
                VerificationAttempt(attempt=1, is_finished=True),
                VerificationAttempt(
                    attempt=2,
                    steps=(StepResult(step_id="s", label="unit tests", passed=True),),
                    is_finished=True,
                ),
            ),
        ),
    }
)


@pytest.mark.parametrize("width", [60, 120])
def test_the_work_of_a_plan_without_tasks_is_the_threads_own(width):
    text = drawn(progress(AT_GATE), width)
    assert "waiting for approval" in text
    assert "unit tests" in text
    assert "attempt 2" in text
    assert f"treadle approve {THREAD} --hash" in " ".join(text.split())
    for word in (WORK, "main", "0/", "task"):
        assert word not in text.replace(THREAD, "")


def test_what_failed_of_it_is_tried_again_without_a_name():
    failed = AT_GATE.work.model_copy(update={"status": TaskStatus.FAILED, "notes": "it broke"})
    view = AT_GATE.model_copy(update={"work": failed, "requests": ()})
    assert outstanding(view) == [f"the work failed: it broke (treadle retry {THREAD})"]


@pytest.mark.parametrize("status", [PlanStatus.COMPLETED, PlanStatus.CANCELLED])
def test_new_planning_that_failed_is_told_with_its_reason(status):
    asks = "a new attempt at planning: no plan; the last reason: bad_id"
    changes = {
        "status": "failed",
        "plan_status": status,
        "requests": (),
        "tasks": (task("parse", "completed"),),
        "planning_failure": "no plan; the last reason: bad_id",
        "waiting_for": asks,
    }
    text = drawn(progress(VIEW.model_copy(update=changes)), 200)
    assert text.count(f"{asks} (treadle replan {THREAD})") == 1
