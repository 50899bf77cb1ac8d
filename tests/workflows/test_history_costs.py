"""What a task costs in histories: events and bytes, which no machine changes much."""

from datetime import timedelta

import pytest
from temporalio.api.enums.v1 import EventType
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import WorkflowHandle

from domain.threads.patches import ALL
from tests.workflows.conftest import House
from workflows import options

TASKS, WIDTH = 60, 6
MAX_EVENTS = 10
"""Of a task, in its thread's history, without the thread's own workflow tasks: how many events each of them takes
is up to how fast the worker is."""

MAX_BYTES_IN_THREAD = 4_700
MAX_BYTES_OF_TASK = 5_300
MAX_EVENTS_OF_TASK = 20


@pytest.fixture(autouse=True)
def _in_one_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each thread end in the run that it began in, whose history is looked at."""
    monkeypatch.setattr(options, "HISTORY_EVENTS", options.EARLIER_HISTORY_EVENTS)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no second pass on a slow machine: each costs the event of a timer, and what nothing carries in time more."""
    monkeypatch.setattr(options, "FLUSH_PATIENCE", timedelta(minutes=10))


async def test_a_task_has_few_events_and_bytes_in_its_histories(house: House) -> None:
    thread = await house.open(max_parallel_tasks=WIDTH, patches=ALL)
    proposed = await house.proposed(thread.id, _plan())
    before = await _events(thread)
    await house.approve(thread.id, proposed)
    await house.seen(thread.id, "plan_completed")
    events = (await _events(thread))[len(before) :]
    task = await _events(house.client.get_workflow_handle(f"{thread.id}/task-{TASKS // 2}"))

    assert len([event for event in events if not _is_workflow_task(event)]) <= MAX_EVENTS * TASKS
    assert _size(events) <= MAX_BYTES_IN_THREAD * TASKS
    assert len(task) <= MAX_EVENTS_OF_TASK
    assert _size(task) <= MAX_BYTES_OF_TASK
    kinds = {event.event_type for event in task}
    assert EventType.EVENT_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_INITIATED not in kinds


async def test_a_tasks_bytes_do_not_grow_with_its_plan(house: House) -> None:
    sizes = list[int]()
    for count in (WIDTH, TASKS):
        thread = await house.open(max_parallel_tasks=WIDTH, patches=ALL)
        await house.approve(thread.id, await house.proposed(thread.id, _plan(count)))
        await house.seen(f"{thread.id}/task-{WIDTH - 1}", "task_ended")
        task = house.client.get_workflow_handle(f"{thread.id}/task-{WIDTH - 1}")
        sizes.append(_size(await _events(task)))
        await house.seen(thread.id, "plan_completed")
    assert sizes[1] <= sizes[0] + 100


def _plan(count: int = TASKS) -> dict[str, object]:
    return {
        "summary": "many alike",
        "tasks": [
            {
                "id": f"task-{n}",
                "title": f"Write part {n}",
                "description": "Write it as the others are written, and test it.",
                "gate": "auto",
                "depends_on": [f"task-{n - WIDTH}"] if n >= WIDTH else [],
                "verification": [{"type": "command", "command": "make test"}],
            }
            for n in range(count)
        ],
    }


async def _events(handle: WorkflowHandle[object, object]) -> list[HistoryEvent]:
    return list((await handle.fetch_history()).events)


def _is_workflow_task(event: HistoryEvent) -> bool:
    return EventType.Name(event.event_type).startswith("EVENT_TYPE_WORKFLOW_TASK_")


def _size(events: list[HistoryEvent]) -> int:
    return sum(event.ByteSize() for event in events)
