"""A scenario of a thread that is renamed, and cancelled in Temporal; to be recorded."""

from domain.core.ids import CommandId
from domain.core.lifecycle.commands import Rename
from domain.threads import patches
from tests.workflows.conftest import House
from tests.workflows.test_recovery import TWO_IN_A_ROW, hang


async def cancelled_in_temporal(house: House) -> str:
    """A thread with a task in its turn, for which Temporal is asked to cancel task and thread."""
    thread = await house.open(patches=patches.ALL)
    await house.send(thread.id, Rename(command_id=CommandId("r-1"), topic="Another", by="tester"))
    proposed = await house.proposed(thread.id, TWO_IN_A_ROW)
    house.runner.play = hang
    await house.approve(thread.id, proposed)
    await house.seen(f"{thread.id}/task-1/session-1", "agent_session_opened")
    await house.client.get_workflow_handle(f"{thread.id}/task-1").cancel()
    await house.seen(thread.id, "task_settled")
    await thread.cancel()
    await house.seen(thread.id, "plan_completed")
    return thread.id
