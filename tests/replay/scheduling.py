"""A scenario of a schedule that comes due, to be recorded."""

from datetime import UTC, datetime

from adapters.temporal import TemporalSchedules
from domain.core.ids import ThreadId, scheduled_workflow_id
from domain.queue.entry import EntryKind
from domain.queue.inputs import QUEUE
from domain.queue.schedules.schedule import ScheduledInput, scheduled_work
from domain.threads.inputs import ThreadInput
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
THREAD = ThreadInput(
    thread_id=ThreadId(""), goal="look at the links", repository="/repo", agent="fake"
)
NIGHTLY = ScheduledInput(
    name="nightly",
    cron="@daily",
    timezone="UTC",
    work=scheduled_work(EntryKind.THREAD, THREAD.goal, THREAD.repository, THREAD),
    by="tester",
    made_at=NOON,
)
ALSO = {"scheduled": scheduled_workflow_id(NIGHTLY.name, NOON), "queue": str(QUEUE)}
"""What is recorded beside the thread: by the name of its kind, the workflow's id."""


async def scheduled_thread(house: House) -> str:
    """A schedule that comes due twice; the second time the first one's thread is not over."""
    schedules = TemporalSchedules(house.client)
    await schedules.add(NIGHTLY)
    thread = (await schedules.run(NIGHTLY.name, NOON)).entry_id
    await house.seen(QUEUE, "entry_started")
    proposed = await house.proposed(thread, ONE)
    await schedules.run(NIGHTLY.name, NOON.replace(hour=13))
    await house.seen(QUEUE, "entry_skipped")
    await house.approve(thread, proposed)
    await house.approve(f"{thread}/task-1", await house.seen(f"{thread}/task-1", "gate_opened"))
    await house.seen(QUEUE, "entry_ended")
    await schedules.remove(NIGHTLY.name)
    return thread
