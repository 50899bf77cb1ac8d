"""A plan without tasks, carried out in the session that planned it, to be recorded."""

from domain.conversations.commands import Close
from domain.core.ids import WORK
from domain.threads.patches import ALL
from tests.workflows.conftest import House
from tests.workflows.test_main_job import MAKE


async def work_in_session(house: House) -> str:
    """The work fails its verification once, is approved, and its session closed afterwards."""
    house.verifier.failures["make"] = 1
    thread = await house.open(patches=ALL)
    plan: dict[str, object] = {"summary": "do it all", "verification": [MAKE]}
    await house.approve(thread.id, await house.proposed(thread.id, plan))
    work, session = f"{thread.id}/{WORK}", f"{thread.id}/session-1"
    await house.approve(work, await house.seen(work, "gate_opened"))
    await house.seen(thread.id, "plan_completed")
    await house.seen(session, "role_changed", number=2)
    await house.send(session, Close(by="tester"))
    return thread.id
