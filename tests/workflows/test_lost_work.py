"""Tasks whose newest commit was lost with a host: they go on from what is left, and nothing is tried for ever."""

from domain.tasks.events import VerificationEnded
from tests.workflows.conftest import House
from tests.workflows.test_main_job import MAKE

ONCE: dict[str, object] = {
    "tasks": [{"id": "task-1", "title": "one", "maxRetries": 0, "verification": [MAKE]}]
}
LOST = "1a2b3c4d of the thread is not on the hub: it may still be on host anvil"


async def test_the_agent_does_again_what_was_lost_and_no_retry_of_the_task_is_used(
    house: House,
) -> None:
    house.workspaces.lost = LOST
    thread = await house.open()
    proposed = await house.proposed(thread.id, ONCE)
    await house.approve(thread.id, proposed)
    task = f"{thread.id}/task-1"
    gate = await house.seen(task, "gate_opened")
    await house.approve(task, gate)
    completed = await house.seen(thread.id, "plan_completed")

    attempts = [b for b in house.journal.bodies(task) if isinstance(b, VerificationEnded)]
    assert [attempt.passed for attempt in attempts] == [False, True]
    [told] = [c for c in house.runner.calls if LOST in str(c.turn.prompt)]
    assert told.turn.workspace.task_id == "task-1"
    assert house.verifier.ran == [MAKE["command"]]
    assert completed.body.model_dump()["final_status"] == "completed"
