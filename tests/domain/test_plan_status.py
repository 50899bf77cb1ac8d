"""What `/plan status` and the coordinator are told that people are asked."""

import pytest

from domain.core.progress import TaskProgress
from domain.core.workspaces import MergeResult
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Pause, Resume
from domain.threads.commands import NoteProgress, SettleTask
from domain.threads.running.health import task_table
from domain.threads.running.reports import questions, status_text
from domain.threads.running.view import running_view
from tests.domain.running_plan import THREAD, RunningPlan, add, task


@pytest.fixture
def plan() -> RunningPlan:
    return RunningPlan(task("a"), task("b"))


def progressed(plan: RunningPlan, **told: object) -> None:
    progress = TaskProgress.model_validate({"task_id": "a", "run": 1, **told})
    plan.send(NoteProgress(progress=progress))


def test_a_conflict_is_a_question_and_not_a_merge_under_way(plan: RunningPlan):
    plan.end("a")
    assert "- a: running: A. merging" in task_table(plan.state)
    plan.send(SettleTask(task_id="a", run=1, merge=MergeResult(conflicts=("notes.txt",))))
    assert "A. waiting for its conflict to be resolved" in task_table(plan.state)
    assert f"in notes.txt: treadle resolve {THREAD} a by-hand|keep-a|" in status_text(plan.state)


def test_each_task_says_what_it_depends_on():
    plan = RunningPlan(task("a"), task("b"), task("c", "a", "b"))
    assert "  · c  C  ← a, b  " in status_text(plan.state)
    assert " ← " not in status_text(RunningPlan(task("a")).state)


def test_what_a_task_waits_for_is_reported_with_its_answer(plan: RunningPlan):
    asks = "a message: no key"
    progressed(plan, asks=asks, waits_for=asks, is_blocked=True)
    assert questions(plan.state) == [f"a waits for {asks}: treadle say {THREAD} TEXT --task a"]
    assert "- a: running: A. waiting for a message: no key" in task_table(plan.state)
    progressed(plan, asks="approval of the verified change")
    assert questions(plan.state)[0].endswith(f": treadle approve {THREAD} a")
    progressed(plan, waits_for="a provider", doing="waits for a provider")
    assert questions(plan.state) == []


def test_a_task_is_in_its_first_turn_until_it_is_heard_of(plan: RunningPlan):
    assert "- a: running: A. turn 1" in task_table(plan.state)
    progressed(plan, doing="verifying", turns=1)
    assert "- a: running: A. verifying" in task_table(plan.state)


def test_an_amendment_is_a_question_until_it_is_decided(plan: RunningPlan):
    request = plan.propose(add("c"))
    assert questions(plan.state)[0].endswith(f"treadle approve {THREAD} {request}")
    plan.decide(request)
    plan.end("a", TaskEnd.FAILED)
    assert questions(plan.state) == []


def test_a_paused_plan_says_who_paused_it_and_why_until_it_goes_on(plan: RunningPlan):
    assert plan.state.opened is not None
    planner = plan.state.planner_settings.model_copy(update={"supervision_pauses": True})
    opened = plan.state.opened.model_copy(update={"planner": planner})
    plan.state = plan.state.model_copy(update={"opened": opened})
    progressed(plan, attempts=3, failed_in_a_row=3)
    because = "paused by supervision: a: 3 attempts in a row failed verification"
    assert f"  {because} (treadle resume {THREAD})" in status_text(plan.state)
    plan.complete("a")
    assert because in status_text(plan.state)
    assert running_view(plan.state).paused == because
    plan.send(Resume(by="ada"))
    assert "paused" not in status_text(plan.state)
    plan.send(Pause(by="ada"))
    assert f"  paused by ada (treadle resume {THREAD})" in status_text(plan.state)
