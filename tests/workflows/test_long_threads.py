"""Long threads: runs end at a bound of our own, so that none replays longer than its task may take."""

from temporalio.api.enums.v1 import EventType

from queues import workers
from tests.replay.renewing import short_runs
from tests.workflows.conftest import House
from tests.workflows.test_continue_as_new import PLAN
from tests.workflows.test_main_job import THREE


async def test_a_new_worker_takes_up_a_thread_whose_runs_end_at_our_own_bound(server, tmp_path):
    house = House(server.client, tmp_path)
    with short_runs():
        shared, local = workers(server.client, house.ports(), "test", max_turns=8)
        async with shared, local:
            thread = await house.open()
            await house.approve(thread.id, await house.proposed(thread.id, PLAN))
            for n in range(1, 4):
                await _approve(house, f"{thread.id}/task-{n}")
            await house.seen(f"{thread.id}/task-4", "gate_opened")
        shared, local = workers(server.client, house.ports(), "test", max_turns=8)
        async with shared, local:
            for n in range(4, 7):
                await _approve(house, f"{thread.id}/task-{n}")
            await house.seen(thread.id, "plan_completed")
            runs = await _runs(house, thread.id, thread.first_execution_run_id)
            await thread.terminate()

    assert runs > 2
    assert house.workspaces.merged == [f"task-{n}" for n in range(1, 7)]
    ids = [event.id for event in house.journal.events]
    assert len(ids) == len(set(ids))


async def test_what_is_short_records_no_patch(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, THREE))
    for n in range(1, 4):
        await _approve(house, f"{thread.id}/task-{n}")
    await house.seen(thread.id, "plan_completed")
    events = (await thread.fetch_history()).events
    assert EventType.EVENT_TYPE_MARKER_RECORDED not in {
        event.event_type
        for event in events
        if event.marker_recorded_event_attributes.marker_name != "core_local_activity"
    }


async def _approve(house: House, task: str) -> None:
    await house.approve(task, await house.seen(task, "gate_opened"))


async def _runs(house: House, thread: str, run: str | None) -> int:
    """Return how many runs a thread has had, from its first."""
    number = 0
    while run:
        number += 1
        handle = house.client.get_workflow_handle(thread, run_id=run)
        last = (await handle.fetch_history()).events[-1]
        run = last.workflow_execution_continued_as_new_event_attributes.new_execution_run_id
    return number
