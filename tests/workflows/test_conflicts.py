"""Conflicts of merges, each way to resolve them, and coming collisions, on real workflows."""

import pytest

from domain.core.approvals import decision_code
from domain.core.errors import NotShownError, WrongStateError
from domain.core.ids import TaskId
from domain.core.workspaces import ConflictSide, MergeCandidate
from domain.tasks.conflicts import Conflict
from domain.tasks.running_commands import Abort, Cancel, ConflictChoice, ResolveConflict
from domain.threads.shown import conflict_hash
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

TWO = {"tasks": [{"id": "task-1", "title": "one"}, {"id": "task-2", "title": "two"}]}


async def conflicting(house: House) -> tuple[str, Conflict]:
    """Run a task to its merge, which conflicts; returns the thread and the conflict as shown."""
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    house.workspaces.conflicts["task-1"] = ("a.py", "b.py")
    task = f"{thread.id}/task-1"
    await house.approve(task, await house.seen(task, "gate_opened"))
    found = await house.seen(thread.id, "conflict_found")
    return thread.id, found.body.conflict


async def answer(house: House, thread: str, conflict: Conflict, how: ConflictChoice) -> str:
    shown = conflict_hash(conflict)
    command = ResolveConflict(task_id=conflict.task_id, how=how, content_hash=shown, by="ann")
    code = decision_code(b"test key", thread, command.request, command.choice, command.content)
    said = await house.send(thread, command.model_copy(update={"code": code}))
    return said.message


@pytest.mark.parametrize("how", [ConflictChoice.KEEP_A, ConflictChoice.KEEP_B])
async def test_one_side_is_kept_and_the_merge_verified(house: House, how: ConflictChoice) -> None:
    thread, conflict = await conflicting(house)
    assert conflict.files == ("a.py", "b.py")
    house.workspaces.candidates["task-1"] = MergeCandidate(commit="c" * 40, tree="t" * 40)

    await answer(house, thread, conflict, how)
    await house.seen(thread, "plan_completed")

    keeps = house.workspaces.settled[-1].keeps
    assert keeps is not None
    assert (keeps.side, keeps.files) == (ConflictSide(how), ("a.py", "b.py"))
    assert house.verifier.ran == ["make", "make"]


async def test_a_kept_side_that_does_not_pass_is_asked_about_again(house: House) -> None:
    thread, conflict = await conflicting(house)
    house.workspaces.refusals["task-1"] = "merged with treadle/x as it is now, make fails"

    await answer(house, thread, conflict, ConflictChoice.KEEP_B)
    again = await house.seen(thread, "conflict_found", number=2)

    assert again.body.conflict.files == ("a.py", "b.py")
    assert "make fails" in again.body.conflict.notes[0]
    with pytest.raises(NotShownError):
        await answer(house, thread, conflict, ConflictChoice.KEEP_A)
    await answer(house, thread, again.body.conflict, ConflictChoice.KEEP_A)
    await house.seen(thread, "plan_completed")


async def test_an_agent_resolves_in_a_new_run_until_no_marker_is_left(house: House) -> None:
    house.workspaces.unresolved = [("a.py",)]
    thread, conflict = await conflicting(house)
    task = f"{thread}/task-1"

    await answer(house, thread, conflict, ConflictChoice.AGENT)
    await house.approve(task, await house.seen(task, "gate_opened", number=2))
    await house.seen(thread, "plan_completed")

    turns = [c.turn for c in house.runner.calls if c.turn.session_id == f"{task}/session-2"]
    assert [turn.prompt.name for turn in turns] == ["conflict", "conflict"]
    assert turns[0].workspace.merging == conflict.commit
    assert turns[1].prompt.fields["files"] == "- a.py"
    assert house.verifier.ran == ["make", "make"]


async def test_by_hand_a_worktree_waits_and_done_is_verified_and_gated(house: House) -> None:
    house.workspaces.unresolved = [("a.py",)]
    thread, conflict = await conflicting(house)
    task = f"{thread}/task-1"
    with pytest.raises(WrongStateError, match="by-hand first"):
        await answer(house, thread, conflict, ConflictChoice.DONE)

    await answer(house, thread, conflict, ConflictChoice.BY_HAND)
    ready = await house.seen(thread, "conflict_prepared")
    assert ready.body.path == "/nowhere"
    await answer(house, thread, conflict, ConflictChoice.DONE)
    left = await house.seen(thread, "conflict_unresolved")
    assert left.body.files == ("a.py",)
    await answer(house, thread, conflict, ConflictChoice.DONE)
    await house.approve(task, await house.seen(task, "gate_opened", number=2))
    await house.seen(thread, "plan_completed")

    assert [c.turn.session_id for c in house.runner.calls if c.turn.role == "task"] == [
        f"{task}/session-1"
    ]
    assert house.verifier.ran == ["make", "make"]


async def test_what_a_person_began_by_hand_can_be_given_up(house: House) -> None:
    thread, conflict = await conflicting(house)

    await answer(house, thread, conflict, ConflictChoice.BY_HAND)
    await house.seen(thread, "conflict_prepared")
    await answer(house, thread, conflict, ConflictChoice.KEEP_A)
    await house.seen(thread, "conflict_work_removed")
    await house.seen(thread, "plan_completed")

    assert f"{thread}/task-1/run-2/by-hand" in house.workspaces.released


@pytest.mark.parametrize("end", [Abort(task_id=TaskId("task-1")), Cancel()])
async def test_a_conflict_ends_with_its_task_or_plan(house: House, end: Abort | Cancel) -> None:
    thread, conflict = await conflicting(house)

    await house.send(thread, end)
    await house.seen(thread, "conflict_dropped")

    cancelled = await house.seen(thread, "task_updated", number=2)
    assert cancelled.body.model_dump()["new_status"] == "cancelled"
    with pytest.raises(WrongStateError):
        await answer(house, thread, conflict, ConflictChoice.KEEP_A)


async def test_a_coming_conflict_is_reported_once_for_the_pair_and_its_files(house: House) -> None:
    house.workspaces.colliding[frozenset({"task-1", "task-2"})] = ("a.py",)
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, TWO))
    for task in ("task-1", "task-2"):
        await house.seen(f"{thread.id}/{task}", "gate_opened")
        await house.approve(
            f"{thread.id}/{task}", await house.seen(f"{thread.id}/{task}", "gate_opened")
        )
    await house.seen(thread.id, "plan_completed")

    told = [
        b for b in house.journal.bodies(thread.id) if b.kind == "collisions_checked" and b.found
    ]
    assert len(told) <= 1
