"""A conflict that a person resolves by hand, and changes of a chat that are merged: each once."""

import pytest

from domain.conversations.commands import MergeSession
from domain.core.workspaces import MergeResult, Snapshot
from domain.tasks.running_commands import ConflictChoice, ResolveConflict
from domain.threads.commands import SettleTask
from domain.threads.merging.effects import ConflictReady, TakeConflict
from domain.threads.shown import conflict_hash
from tests.domain.running_plan import CHAT, RunningPlan, task

RUN = {"subject": "a", "run": 2}


def resolve(plan: RunningPlan, how: ConflictChoice) -> None:
    shown = conflict_hash(plan.state.merges.open["a"].conflict)
    plan.send(ResolveConflict(task_id="a", how=how, content_hash=shown, by="ada"))


@pytest.fixture
def plan() -> RunningPlan:
    """A plan whose first task conflicts; its merge is under way in a worktree."""
    plan = RunningPlan(task("a"), task("b", "a"))
    plan.end("a")
    plan.send(SettleTask(task_id="a", run=1, merge=MergeResult(conflicts=("notes.txt",))))
    resolve(plan, ConflictChoice.BY_HAND)
    plan.send(ConflictReady(**RUN, path="/w"))
    return plan


def taken(*unresolved: str) -> TakeConflict:
    found = Snapshot(commit="e" * 40, tree="f" * 40, base="0" * 40, unresolved=unresolved)
    return TakeConflict(**RUN, snapshot=found)


def test_a_resolved_conflict_is_verified_in_a_run_of_its_own(plan: RunningPlan):
    resolve(plan, ConflictChoice.DONE)
    plan.send(taken())
    assert plan.kinds().count("conflict_resolved") == 1
    assert plan.state.merges.open == {}
    assert plan.state.merges.works["a"].resolved == taken().snapshot

    plan.send(taken())
    assert plan.kinds().count("conflict_resolved") == 1


@pytest.mark.parametrize(
    ("found", "left", "failure"),
    [
        (taken("notes.txt"), ("notes.txt",), ""),
        (TakeConflict(**RUN, failure="the disk is full"), (), "the disk is full"),
    ],
    ids=["markers", "failure"],
)
def test_a_conflict_that_is_not_resolved_goes_back_to_the_person(
    plan: RunningPlan, found: TakeConflict, left: tuple[str, ...], failure: str
):
    resolve(plan, ConflictChoice.DONE)
    plan.send(found)

    conflict = plan.state.merges.open["a"]
    assert (conflict.left, conflict.failure) == (left, failure)
    resolve(plan, ConflictChoice.DONE)
    plan.send(taken())
    assert plan.state.merges.open == {}


def test_what_is_said_of_a_conflict_before_it_is_done_changes_nothing(plan: RunningPlan):
    before = plan.state
    for command in (taken(), ConflictReady(**RUN, path="/other"), TakeConflict(subject="b", run=1)):
        plan.send(command)
    assert plan.state == before


def test_changes_that_are_being_merged_are_not_merged_twice():
    plan = RunningPlan(task("a"))
    first = plan.send(MergeSession(command_id="1", session_id=CHAT))
    assert plan.send(MergeSession(command_id="2", session_id=CHAT)) == first
    assert plan.kinds().count("session_merge_requested") == 1
