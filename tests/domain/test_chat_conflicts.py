"""Changes of a chat that conflict with the branch: asked about once, and resolved in each way, once."""

from typing import Any

import pytest

from domain.agents.agents import PromptName
from domain.conversations.commands import MergeSession
from domain.conversations.reports import EndSessionTurn
from domain.core.errors import NotShownError, WrongStateError
from domain.core.lifecycle.commands import DeleteThread
from domain.core.workspaces import ConflictSide, MergeResult, RepositoryFacts, Snapshot
from domain.reading.event_text import text_of
from domain.tasks.conflicts import ConflictStage, choices
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Cancel, ConflictChoice, ResolveConflict
from domain.threads import rules
from domain.threads.commands import MarkDelivered
from domain.threads.landing.commands import MergeBranch
from domain.threads.lifecycle.effects import RemoveThread
from domain.threads.merging.chats import prompt_key
from domain.threads.merging.effects import (
    ConflictReady,
    EndConflictWork,
    EndSessionMerge,
    MergeSessionChanges,
    TakeConflict,
)
from domain.threads.patches import CHATS_HAVE_CONFLICTS
from domain.threads.shown import conflict_hash
from tests.domain.planning_world import FIRST, World
from tests.domain.running_plan import CHAT, RunningPlan, task

NAME = CHAT.rpartition("/")[2]
CONFLICT = MergeResult(conflicts=("notes.txt",), versions="v1", tip="a" * 40, source="b" * 40)


def merges(plan: RunningPlan) -> list[MergeSessionChanges]:
    found = rules.effects(plan.state)
    return [effect for effect in found if isinstance(effect, MergeSessionChanges)]


def ask(plan: RunningPlan, result: MergeResult = CONFLICT) -> None:
    plan.send(MergeSession(command_id="m", session_id=CHAT))
    end(plan, result)


def end(plan: RunningPlan, result: MergeResult) -> None:
    [merge] = merges(plan)
    plan.send(EndSessionMerge(session_id=CHAT, number=merge.number, merge=result))


def told_in(plan: RunningPlan) -> list[str]:
    """Return the lines of the transcript that tell of a conflict."""
    texts = (text_of(event) for event in plan.events)
    return [text.summary for text in texts if text and "notes.txt" in text.summary]


def answer(how: ConflictChoice, plan: RunningPlan, **more: Any) -> ResolveConflict:
    shown = conflict_hash(plan.state.merges.open[CHAT].conflict)
    return ResolveConflict(
        **{"session_id": CHAT, "how": how, "content_hash": shown, "by": "ada"} | more
    )


def snapshot(*unresolved: str) -> Snapshot:
    return Snapshot(commit="c" * 40, tree="d" * 40, base="a" * 40, unresolved=unresolved)


def turn(plan: RunningPlan, **more: Any) -> None:
    """End the turn in which the chat's agent resolves the conflict."""
    key = prompt_key(CHAT, plan.state.merges.chats[CHAT])
    told = {"session_id": CHAT, "turn": 2, "prompt_key": key, "snapshot": snapshot(), **more}
    plan.send(EndSessionTurn(**told))


@pytest.fixture
def plan() -> RunningPlan:
    plan = RunningPlan(task("a"), patches=(CHATS_HAVE_CONFLICTS,))
    ask(plan)
    return plan


def test_a_conflict_of_a_chat_is_asked_about_and_takes_the_ways_of_tasks(plan: RunningPlan):
    found = plan.state.merges.open[CHAT]
    assert [how.spoken for how in choices(found)] == [
        *("by-hand", "keep-a", "keep-b", "agent", "leave")
    ]
    assert plan.state.waiting_for == f"a way to resolve the conflict of {NAME}"
    assert plan.state.lifecycle.merged[CHAT].conflicts == ("notes.txt",)

    assert told_in(plan) == [f"Changes of {NAME} conflict in notes.txt"]

    ask(plan)  # the same again
    assert told_in(plan)[1:] == [f"Changes of {NAME} not merged: conflicts in notes.txt"]
    assert plan.kinds().count("conflict_found") == 1
    assert plan.refuses(answer(ConflictChoice.KEEP_A, plan, content_hash="other")).type


@pytest.mark.parametrize(
    ("how", "side"),
    [
        (ConflictChoice.KEEP_A, ConflictSide.BRANCH),
        (ConflictChoice.KEEP_B, ConflictSide.TASK),
    ],
)
def test_a_side_is_kept_of_the_commit_that_was_shown(
    plan: RunningPlan, how: ConflictChoice, side: ConflictSide
):
    chosen = answer(how, plan)
    plan.send(chosen)

    [merge] = merges(plan)
    kept = plan.state.merges.kept_of(CHAT, merge.number)
    assert (merge.commit, kept and kept.side) == (CONFLICT.source, side)
    assert isinstance(plan.refuses(chosen), WrongStateError)  # twice

    end(plan, MergeResult(commit="e" * 40, source=merge.commit))
    assert plan.state.lifecycle.merged[CHAT].commit == "e" * 40
    assert (plan.state.merges.open, plan.state.lifecycle.merges) == ({}, ())


def test_a_side_of_what_has_changed_since_is_asked_about_again(plan: RunningPlan):
    plan.send(answer(ConflictChoice.KEEP_B, plan))
    end(plan, CONFLICT.model_copy(update={"versions": "v2"}))

    found = plan.state.merges.open[CHAT].conflict
    assert "not what was shown" in found.notes[0]
    assert found.versions == "v2"


def test_by_hand_waits_for_the_person_then_merges_what_they_made(plan: RunningPlan):
    plan.send(answer(ConflictChoice.BY_HAND, plan))
    plan.send(ConflictReady(subject=CHAT, run=1, path="/w"))
    assert isinstance(plan.refuses(MergeSession(session_id=CHAT)), WrongStateError)
    plan.send(answer(ConflictChoice.DONE, plan))
    plan.send(TakeConflict(subject=CHAT, run=1, snapshot=snapshot("notes.txt")))
    assert plan.state.merges.open[CHAT].left == ("notes.txt",)

    plan.send(answer(ConflictChoice.DONE, plan))
    plan.send(TakeConflict(subject=CHAT, run=1, snapshot=snapshot()))
    plan.send(TakeConflict(subject=CHAT, run=1, snapshot=snapshot()))

    [merge] = merges(plan)
    assert (merge.commit, plan.state.merges.open) == ("c" * 40, {})
    assert [(work.session_id, work.run) for work in plan.state.merges.dropped] == [(CHAT, 1)]


def test_what_its_agent_made_is_merged_only_once_the_person_saw_it(plan: RunningPlan):
    before = answer(ConflictChoice.KEEP_A, plan)
    plan.send(answer(ConflictChoice.AGENT, plan))
    prompt = plan.state.prompts[-1].prompt
    assert prompt is not None
    assert (prompt.name, prompt.merging) == (PromptName.CHAT_CONFLICT, CONFLICT.tip)
    assert ConflictChoice.AGENT not in choices(plan.state.merges.open[CHAT])

    turn(plan, prompt_key="another")
    assert plan.state.merges.open[CHAT].stage is ConflictStage.RESOLVING
    turn(plan)
    turn(plan)
    assert plan.kinds().count("resolution_proposed") == 1
    assert merges(plan) == []
    assert plan.state.waiting_for.startswith(f"a look at how the agent of {NAME}")
    assert isinstance(plan.refuses(before), NotShownError)

    plan.send(answer(ConflictChoice.DONE, plan))
    assert [merge.commit for merge in merges(plan)] == ["c" * 40]


@pytest.mark.parametrize(
    ("more", "left", "failure"),
    [
        ({"snapshot": snapshot("notes.txt")}, ("notes.txt",), ""),
        ({"failure": "it crashed"}, (), "it crashed"),
        ({"is_stopped": True}, (), "its turn was stopped"),
        ({"snapshot": None}, (), "its turn left no commit"),
    ],
    ids=["markers", "failed", "stopped", "nothing"],
)
def test_what_its_agent_did_not_resolve_goes_back_to_the_person(
    plan: RunningPlan, more: dict[str, Any], left: tuple[str, ...], failure: str
):
    plan.send(answer(ConflictChoice.AGENT, plan))
    turn(plan, **more)

    found = plan.state.merges.open[CHAT]
    assert (found.stage, found.left, found.failure) == (ConflictStage.ASKED, left, failure)
    plan.send(answer(ConflictChoice.AGENT, plan))
    assert plan.state.prompts[-1].key == prompt_key(CHAT, 2)


def test_a_person_does_not_wait_for_an_agent_that_hangs(plan: RunningPlan):
    plan.send(answer(ConflictChoice.AGENT, plan))
    plan.send(answer(ConflictChoice.KEEP_B, plan))
    turn(plan)

    assert [merge.commit for merge in merges(plan)] == [CONFLICT.source]
    assert plan.state.merges.open == {}


def test_a_chat_that_resolved_it_in_a_talk_is_merged_and_no_question_is_left(plan: RunningPlan):
    ask(plan, MergeResult(commit="e" * 40, source="f" * 40))
    assert plan.state.merges.open == {}
    assert plan.kinds()[-1] == "conflict_dropped"


def test_a_conflict_can_be_left_and_nothing_is_merged_or_told_any_more(plan: RunningPlan):
    plan.send(answer(ConflictChoice.LEAVE, plan))
    assert (merges(plan), plan.state.merges.open) == ([], {})
    assert not plan.state.lifecycle.merged[CHAT].is_refused


def test_the_conflict_of_a_chat_outlives_the_plan_and_the_next_one(plan: RunningPlan):
    plan.send(Cancel())
    assert list(plan.state.merges.open) == [CHAT]
    assert list(plan.state.merges.of_another_plan().open) == [CHAT]


def test_a_deleted_thread_is_removed_after_the_worktree_of_its_conflict(plan: RunningPlan):
    plan.send(answer(ConflictChoice.BY_HAND, plan))
    plan.send(ConflictReady(subject=CHAT, run=1, path="/w"))
    plan.send(Cancel())
    plan.end("a", TaskEnd.CANCELLED)
    plan.settle("a")
    plan.send(DeleteThread(command_id="d", is_forced=True))
    [work] = plan.state.merges.dropped
    for prompt in plan.state.prompts:
        plan.send(MarkDelivered(key=prompt.key))
    assert not [e for e in rules.effects(plan.state) if isinstance(e, RemoveThread)]

    plan.send(EndConflictWork(work=work))
    assert [e for e in rules.effects(plan.state) if isinstance(e, RemoveThread)]


def test_a_task_takes_no_way_of_chats_alone():
    plan = RunningPlan(task("a"), patches=(CHATS_HAVE_CONFLICTS,))
    assert isinstance(
        plan.refuses(ResolveConflict(session_id=CHAT, how=ConflictChoice.LEAVE)), WrongStateError
    )


def test_a_thread_from_before_is_only_told():
    plan = RunningPlan(task("a"))
    ask(plan)
    assert plan.state.merges.open == {}
    assert plan.state.lifecycle.merged[CHAT].is_refused


def test_a_chat_s_branch_is_merged_only_once_its_conflict_is_resolved_or_left():
    world = World(is_planned=False, patches=(CHATS_HAVE_CONFLICTS,))
    facts = RepositoryFacts(root="/r", head="c0", head_branch="main")
    opened = world.state.opened.model_copy(update={"facts": facts})
    world.state = world.state.model_copy(update={"opened": opened})
    world.send(MergeSession(command_id="m", session_id=FIRST))
    world.send(EndSessionMerge(session_id=FIRST, number=1, merge=CONFLICT))
    land = MergeBranch(command_id="x", commit="a" * 40, target_commit="b" * 40)
    with pytest.raises(WrongStateError, match="changes of session-1 conflict"):
        world.send(land)
    shown = conflict_hash(world.state.merges.open[FIRST].conflict)
    leave = {"session_id": FIRST, "how": ConflictChoice.LEAVE, "content_hash": shown}
    world.send(ResolveConflict(**leave))
    assert "is merged into main" in world.send(land).message
