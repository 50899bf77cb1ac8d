"""A scenario of a chat whose changes conflict, resolved by hand and by its agent, to be recorded."""

from temporalio.client import WorkflowHistory

from domain.conversations.commands import MergeSession
from domain.core.ids import CommandId, SessionId
from domain.tasks.running_commands import ConflictChoice
from tests.workflows.conftest import House
from tests.workflows.test_chat_conflicts import answer, conflicting


async def conflicting_chat(house: House) -> dict[str, WorkflowHistory]:
    """A chat in conflict three times: a side kept, resolved by hand, and by its own agent."""
    session, conflict = await conflicting(house)
    thread = SessionId(session).partition("/")[0]
    await answer(house, conflict, ConflictChoice.KEEP_B)
    await house.seen(thread, "session_merge_ended", number=2)

    await house.send(thread, MergeSession(command_id=CommandId("2"), session_id=session))
    conflict = (await house.seen(thread, "conflict_found", number=2)).body.conflict
    await answer(house, conflict, ConflictChoice.BY_HAND)
    await house.seen(thread, "conflict_prepared")
    await answer(house, conflict, ConflictChoice.DONE)
    await house.seen(thread, "session_merge_ended", number=4)

    await house.send(thread, MergeSession(command_id=CommandId("3"), session_id=session))
    conflict = (await house.seen(thread, "conflict_found", number=3)).body.conflict
    await answer(house, conflict, ConflictChoice.AGENT)
    made = (await house.seen(thread, "resolution_proposed")).body.snapshot
    await answer(house, conflict.model_copy(update={"resolution": made}), ConflictChoice.DONE)
    await house.seen(thread, "session_merge_ended", number=6)
    await house.seen(thread, "conflict_work_removed")
    ids = {"thread": thread, "session": session}
    handles = {kind: house.client.get_workflow_handle(name) for kind, name in ids.items()}
    return {kind: await handle.fetch_history() for kind, handle in handles.items()}
