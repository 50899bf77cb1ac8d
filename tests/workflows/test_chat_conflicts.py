"""A chat's changes that conflict, resolved each way on real workflows."""

import asyncio

import pytest

from domain.agents.agents import StopReason
from domain.conversations.commands import MergeSession, SendMessage, StopTurn
from domain.core.approvals import decision_code
from domain.core.lifecycle.commands import DeleteThread
from domain.core.workspaces import MergeResult
from domain.tasks.conflicts import Conflict
from domain.tasks.running_commands import ConflictChoice, ResolveConflict
from domain.threads import patches
from domain.threads.shown import conflict_hash
from tests.played_agents import AgentCall, ended
from tests.workflows.conftest import House

CONFLICT = MergeResult(conflicts=("a.py",), versions="v1", tip="a" * 40, source="b" * 40)


async def conflicting(house: House) -> tuple[str, Conflict]:
    """Have the changes of a chat merged, which conflict; returns the session and what is asked."""
    house.lifecycle.kept = CONFLICT
    thread = (await house.open(is_planned=False, patches=patches.ALL)).id
    session = f"{thread}/session-1"
    await house.seen(session, "turn_ended")
    await house.send(thread, MergeSession(command_id="1", session_id=session))
    return session, (await house.seen(thread, "conflict_found")).body.conflict


async def answer(house: House, conflict: Conflict, how: ConflictChoice) -> None:
    thread = (conflict.session_id or "").partition("/")[0]
    shown = conflict_hash(conflict)
    command = ResolveConflict(session_id=conflict.session_id, how=how, content_hash=shown, by="ann")
    code = decision_code(b"test key", thread, command.request, command.choice, command.content)
    await house.send(thread, command.model_copy(update={"code": code}))


@pytest.mark.parametrize("how", [ConflictChoice.KEEP_A, ConflictChoice.KEEP_B])
async def test_one_side_is_kept_of_what_was_shown(house: House, how: ConflictChoice) -> None:
    session, conflict = await conflicting(house)

    await answer(house, conflict, how)
    merged = await house.seen(session.partition("/")[0], "session_merge_ended", number=2)

    call = house.lifecycle.merges[-1]
    assert (call.commit, call.keeps and call.keeps.side) == ("b" * 40, how)
    assert merged.body.commit == "d" * 40


async def test_by_hand_a_worktree_waits_and_what_the_person_made_is_merged(house: House) -> None:
    house.workspaces.unresolved = [("a.py",)]
    session, conflict = await conflicting(house)
    thread = session.partition("/")[0]

    await answer(house, conflict, ConflictChoice.BY_HAND)
    await house.seen(thread, "conflict_prepared")
    await answer(house, conflict, ConflictChoice.DONE)
    left = await house.seen(thread, "conflict_unresolved")
    await answer(house, conflict, ConflictChoice.DONE)
    resolved = await house.seen(thread, "conflict_resolved")
    await house.seen(thread, "session_merge_ended", number=2)
    await house.seen(thread, "conflict_work_removed")

    assert left.body.files == ("a.py",)
    assert house.lifecycle.merges[-1].commit == resolved.body.snapshot.commit
    assert f"{session}/by-hand-1" in house.workspaces.released


async def test_its_own_agent_resolves_it_in_its_session_and_the_person_says_done(
    house: House,
) -> None:
    house.workspaces.unresolved = [("a.py",)]
    session, conflict = await conflicting(house)
    thread = session.partition("/")[0]

    await answer(house, conflict, ConflictChoice.AGENT)
    await house.seen(thread, "conflict_unresolved")
    await answer(house, conflict, ConflictChoice.AGENT)
    proposed = await house.seen(thread, "resolution_proposed")
    assert len(house.lifecycle.merges) == 1
    snapshot = proposed.body.snapshot
    await answer(house, conflict.model_copy(update={"resolution": snapshot}), ConflictChoice.DONE)
    await house.seen(thread, "session_merge_ended", number=2)

    turns = [c.turn for c in house.runner.calls if c.turn.prompt.name == "chat-conflict"]
    assert [turn.session_id for turn in turns] == [session, session]
    assert {turn.workspace.merging for turn in turns} == {"a" * 40}
    assert house.lifecycle.merges[-1].commit == snapshot.commit


async def test_a_turn_that_is_stopped_gives_the_conflict_back(house: House) -> None:
    session, conflict = await conflicting(house)
    thread, begun = session.partition("/")[0], asyncio.Event()

    async def hang(call: AgentCall):
        if call.turn.prompt.name != "chat-conflict":
            return ended()
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            begun.clear()
        return ended(StopReason.CANCELLED)

    house.runner.play = hang
    await answer(house, conflict, ConflictChoice.AGENT)
    await begun.wait()
    await house.send(session, StopTurn(by="ann"))
    unresolved = await house.seen(thread, "conflict_unresolved")

    assert unresolved.body.failure == "its turn was stopped"
    await house.send(thread, SendMessage(command_id="m", session_id=session, text="go on"))
    await answer(house, conflict, ConflictChoice.LEAVE)
    await house.seen(thread, "conflict_dropped")


async def test_a_thread_is_deleted_with_a_conflict_that_waits_by_hand(house: House) -> None:
    session, conflict = await conflicting(house)
    thread = session.partition("/")[0]
    await answer(house, conflict, ConflictChoice.BY_HAND)
    await house.seen(thread, "conflict_prepared")

    await house.send(thread, DeleteThread(command_id="d", is_forced=True))
    await house.client.get_workflow_handle(thread).result()

    assert f"{session}/by-hand-1" in house.workspaces.released
