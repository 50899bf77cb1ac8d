"""A scenario of a chat whose sessions are ended by hand, to be recorded."""

from temporalio.client import WorkflowHistory

from domain.conversations.commands import SendMessage
from domain.core.ids import CommandId
from tests.workflows.conftest import House
from tests.workflows.test_lost_sessions import chat, close


async def lost_chat(house: House) -> dict[str, WorkflowHistory]:
    """A session that is closed says so; one that is terminated is missed by the next message."""
    thread = await chat(house)
    await close(house, thread)
    await house.seen(thread, "session_lost")
    await house.send(thread, SendMessage(text="one", command_id=CommandId("1"), by="ada"))
    await house.seen(f"{thread}/session-2", "turn_ended")
    await house.client.get_workflow_handle(f"{thread}/session-2").terminate()
    await house.send(thread, SendMessage(text="two", command_id=CommandId("2"), by="ada"))
    await house.seen(f"{thread}/session-3", "turn_ended")
    ids = {"thread": thread, "session": f"{thread}/session-1"}
    handles = {kind: house.client.get_workflow_handle(name) for kind, name in ids.items()}
    return {kind: await handle.fetch_history() for kind, handle in handles.items()}
