"""What a task's view says that it does now, for the page to count and colour by."""

import pytest

from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import ThreadId
from domain.core.workspaces import MergeResult
from domain.reading.task_activity import TaskActivity, activity_of
from domain.tasks.events import TaskEnd
from domain.tasks.state import Phase, TaskState
from domain.tasks.status import TaskStatus
from domain.threads.children.events import ChildReport
from domain.threads.children.state import ChildThread, Family
from domain.threads.commands import SettleTask
from tests.domain.contest_lab import APP, ContestLab
from tests.domain.running_plan import THREAD, RunningPlan, task


@pytest.fixture
def plan() -> RunningPlan:
    return RunningPlan(task("a"), task("b"))


REQUEST = ApprovalRequest(request_id="r", subject=Subject.GATE, content_hash="h", title="A")


@pytest.mark.parametrize(
    ("run", "activity"),
    [
        (TaskState(), TaskActivity.STARTING),
        (TaskState(phase=Phase.PLANNING), TaskActivity.PLANNING),
        (TaskState(phase=Phase.VERIFYING, turns=1), TaskActivity.VERIFYING),
        (TaskState(phase=Phase.WAITING, turns=1), TaskActivity.WAITING_FOR_PERSON),
        (TaskState(phase=Phase.AT_GATE, request=REQUEST), TaskActivity.WAITING_FOR_PERSON),
    ],
)
def test_a_run_does_what_its_phase_says(plan: RunningPlan, run: TaskState, activity: TaskActivity):
    assert activity_of(plan.state.tasks["a"], run, plan.state)[0] is activity


def test_a_task_of_several_agents_waits_for_a_person_once_they_are_asked_to_choose():
    lab = ContestLab("claude", "codex")
    lab.passes("a")
    before = activity_of(lab.state.tasks[APP], TaskState(), lab.state)
    lab.passes("b")
    after = activity_of(lab.state.tasks[APP], TaskState(), lab.state)

    assert before == (TaskActivity.WORKING, "candidates are working")
    assert after == (TaskActivity.WAITING_FOR_PERSON, "waiting for you to choose a candidate")


def test_a_task_of_several_agents_waits_for_a_person_once_all_that_still_work_do():
    lab = ContestLab("claude", "codex")
    limit = {"waits_for": "a spending limit", "is_over_limit": True}
    lab.tell("a", **limit)
    one = activity_of(lab.state.tasks[APP], TaskState(), lab.state)
    lab.tell("b", waits_for="Run it?", asks="Run it?")
    both = activity_of(lab.state.tasks[APP], TaskState(), lab.state)
    lab.passes("b")
    last = activity_of(lab.state.tasks[APP], TaskState(), lab.state)
    lab.works("a")

    assert one == (TaskActivity.WORKING, "candidates are working")
    assert both == last == (TaskActivity.WAITING_FOR_PERSON, "waiting for a spending limit")
    assert activity_of(lab.state.tasks[APP], TaskState(), lab.state) == one


def test_a_conflict_needs_a_person_and_a_merge_does_not(plan: RunningPlan):
    plan.end("a")
    assert activity_of(plan.state.tasks["a"], TaskState(), plan.state) == ("merging", "merging")
    plan.send(SettleTask(task_id="a", run=1, merge=MergeResult(conflicts=("notes.txt",))))
    activity, _ = activity_of(plan.state.tasks["a"], TaskState(), plan.state)
    assert activity is TaskActivity.WAITING_FOR_PERSON


def test_a_child_thread_that_asks_needs_a_person(plan: RunningPlan):
    child_id = ThreadId(f"{THREAD}-child")
    report = ChildReport(
        thread_id=child_id,
        task_id="a",
        run=1,
        status="waiting",
        done=1,
        total=3,
        waiting_for="approval of the plan",
    )
    child = ChildThread(thread_id=child_id, task_id="a", run=1, report=report)
    state = plan.state.model_copy(update={"family": Family(children={child.thread_id: child})})
    assert activity_of(state.tasks["a"], TaskState(), state) == (
        TaskActivity.WAITING_FOR_PERSON,
        "waiting for approval of the plan, 1/3 tasks",
    )


def test_a_task_that_is_over_does_nothing(plan: RunningPlan):
    plan.end("a", TaskEnd.FAILED)
    over = plan.state.tasks["a"].model_copy(update={"status": TaskStatus.FAILED})
    assert activity_of(over, TaskState(), plan.state) == (TaskActivity.NONE, "")
