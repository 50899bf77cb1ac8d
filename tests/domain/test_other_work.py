"""No task takes up what another one left: not of an earlier plan, not of a task that was removed."""

from domain.core.ids import CommandId, TaskId
from domain.core.lifecycle.commands import DeleteThread
from domain.core.progress import TaskProgress
from domain.core.workspaces import MergeResult, Snapshot
from domain.tasks.agent_commands import ProposePlan
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import (
    Abort,
    AbortAll,
    Cancel,
    ConflictChoice,
    Pause,
    ResolveConflict,
    Resume,
)
from domain.threads.commands import NoteProgress, SettleTask
from domain.threads.merging.effects import ConflictReady, TakeConflict
from domain.threads.planning.commands import RequestPlan, SetAuto
from domain.threads.shown import conflict_hash
from tests.domain.planning_world import World
from tests.domain.running_plan import RunningPlan, add, remove, task

T1 = TaskId("t1")
BLOCK = '```json\n{"summary": "do", "tasks": [{"id": "a", "title": "A"}]}\n```'


def in_conflict(*others: str) -> RunningPlan:
    """Return a plan whose task t1 has a conflict at its merge."""
    plan = RunningPlan(task("t1"), *(task(name) for name in others))
    plan.end("t1")
    merge = MergeResult(conflicts=("a.txt",))
    plan.send(SettleTask(task_id=T1, run=1, merge=merge))
    return plan


def resolve(plan: RunningPlan, how: ConflictChoice) -> None:
    shown = conflict_hash(plan.state.merges.open[T1].conflict)
    plan.send(ResolveConflict(task_id=T1, how=how, content_hash=shown))


def test_a_task_that_is_removed_and_added_again_resolves_no_old_conflict() -> None:
    plan = in_conflict("t2")
    plan.send(Pause())
    resolve(plan, ConflictChoice.AGENT)
    assert plan.state.merges.works
    plan.change(remove("t1"))
    plan.change(add("t1"))
    plan.send(Resume())
    run = plan.state.tasks[T1].run
    assert run > 1
    assert plan.state.merges.work_of(T1, run) is None


def test_a_task_of_another_plan_takes_up_nothing_that_was_resolved_by_hand() -> None:
    plan = in_conflict()
    resolve(plan, ConflictChoice.BY_HAND)
    plan.send(ConflictReady(subject=T1, run=2, path="/somewhere"))
    plan.send(Pause())
    resolve(plan, ConflictChoice.DONE)
    made = Snapshot(commit="e" * 40, tree="t", base="0" * 40)
    plan.send(TakeConflict(subject=T1, run=2, snapshot=made))
    plan.send(Cancel())
    answer = plan.send(RequestPlan(command_id=CommandId("again")))
    proposal = {"summary": "s", "tasks": [task("t1")]}
    planner = answer.data["session_id"]
    plan.send(ProposePlan(session_id=planner, plan=proposal))
    plan.decide(next(reversed(plan.state.requests)))
    run = plan.state.tasks[T1].run
    assert run > 2
    assert plan.state.merges.work_of(T1, run) is None
    assert [(work.task_id, work.run) for work in plan.state.merges.dropped] == [("t1", 2)]


def test_aborting_all_ends_a_conflict_that_waits() -> None:
    plan = in_conflict("t2")
    plan.send(AbortAll())
    assert plan.statuses == {"t1": "cancelled", "t2": "running"}
    assert not plan.state.merges.open


def test_a_task_that_is_to_be_aborted_stays_so_when_its_work_begins() -> None:
    plan = RunningPlan(task("t1", plan_approval="auto"))
    plan.send(Abort(task_id=T1))
    plan.send(NoteProgress(progress=TaskProgress(task_id=T1, run=1)))
    assert plan.statuses == {"t1": "running"}
    assert plan.state.tasks[T1].is_abort_requested
    plan.end("t1", TaskEnd.ACCEPTED)
    assert plan.state.tasks[T1].end is TaskEnd.CANCELLED


def test_nothing_starts_by_itself_in_a_thread_that_is_being_deleted() -> None:
    world = World()
    world.send(SetAuto(is_on=True))
    world.send(DeleteThread())
    world.ended(text=BLOCK)
    assert world.state.plans == ()
    assert not world.state.plan_status.is_live


def test_a_side_that_is_not_the_shown_one_any_more_is_asked_about_again() -> None:
    plan = in_conflict()
    before = plan.state.merges.open[T1].conflict
    assert conflict_hash(before.model_copy(update={"tip": "f" * 40})) == conflict_hash(before)
    resolve(plan, ConflictChoice.KEEP_A)
    moved = MergeResult(conflicts=("a.txt",), versions="v1", tip="1" * 40)
    plan.send(SettleTask(task_id=T1, run=1, merge=moved))
    resolve(plan, ConflictChoice.KEEP_B)
    kept = plan.state.merges.kept[T1]
    assert (kept.versions, kept.tip) == ("v1", "1" * 40)
    moved = MergeResult(conflicts=("a.txt",), versions="v2", tip="2" * 40)
    plan.send(SettleTask(task_id=T1, run=1, merge=moved))
    asked = plan.state.merges.open[T1].conflict
    assert (asked.tip, asked.versions) == ("2" * 40, "v2")
    assert "not what was shown any more" in asked.notes[0]
