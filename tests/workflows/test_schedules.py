"""Schedules on a real server: each time becomes an entry of the queue, once, by nobody else."""

import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from temporalio.client import Client, WorkflowFailureError
from temporalio.exceptions import ApplicationError
from temporalio.testing import WorkflowEnvironment

from adapters.files.key_ring import KeyRing
from adapters.temporal import TemporalSchedules, plugin, register_search_attributes
from domain.core.errors import NotFoundError
from domain.core.ids import SHARED_QUEUE, CommandId, ThreadId, schedule_id, scheduled_workflow_id
from domain.queue.entry import EntryKind
from domain.queue.inputs import QUEUE
from domain.queue.schedules.cron import CronError
from domain.queue.schedules.schedule import (
    OverlapPolicy,
    ScheduledInput,
    ScheduleExistsError,
    ScheduleView,
    TimezoneError,
    scheduled_work,
)
from domain.tasks.running_commands import Cancel
from domain.threads.inputs import ThreadInput
from tests.workflows.conftest import House
from workflows.scheduled import ScheduledWorkflow

NOON = datetime(2026, 11, 22, 12, tzinfo=UTC)
LATER = NOON + timedelta(minutes=1)


def schedule(name: str, **more: object) -> ScheduledInput:
    thread = ThreadInput(
        thread_id=ThreadId(""), goal="look at the links", repository="/repo", agent="fake"
    )
    known = {"cron": "0 6 * * 1-5", "timezone": "Europe/Berlin", "by": "tester"}
    known |= {"work": scheduled_work(EntryKind.THREAD, thread.goal, thread.repository, thread)}
    return ScheduledInput.model_validate({"name": name, "made_at": NOON, **known, **more})


class Noted(TemporalSchedules):
    """Schedules whose names are kept: Temporal lists a new one only a moment later."""

    def __init__(self, client: Client) -> None:
        super().__init__(client)
        self.added: list[str] = []

    async def add(self, schedule: ScheduledInput) -> ScheduleView:
        self.added.append(schedule.name)
        return await super().add(schedule)


@pytest.fixture
async def schedules(house: House) -> AsyncIterator[TemporalSchedules]:
    schedules = Noted(house.client)
    yield schedules
    for name in schedules.added:
        with suppress(NotFoundError):
            await schedules.remove(name)


async def test_a_schedule_that_comes_due_opens_a_thread_by_way_of_the_queue(
    house: House, schedules: TemporalSchedules
) -> None:
    await schedules.add(schedule("links"))
    await house.client.get_schedule_handle(schedule_id("links")).trigger()

    enqueued = (await house.seen(QUEUE, "entry_enqueued")).body.model_dump()["entry"]
    assert (enqueued["series"], enqueued["project"]) == ("schedule-links", "/repo")
    opened = await house.seen(enqueued["entry_id"], "thread_opened")
    assert opened.body.model_dump()["goal"] == "look at the links"

    view = await schedules.view("links")
    said = f"{enqueued['entry_id']} is added to the queue, unless an earlier one has not ended"
    assert (view.runs, view.last_result) == (1, said)


async def test_what_overlaps_is_left_out_until_the_last_one_is_over(
    house: House, schedules: TemporalSchedules
) -> None:
    await schedules.add(schedule("overlapping"))
    first = await schedules.run("overlapping", NOON)
    await house.seen(first.entry_id, "thread_opened")
    second = await schedules.run("overlapping", LATER)
    skipped = (await house.seen(QUEUE, "entry_skipped")).body.model_dump()
    assert (skipped["entry_id"], skipped["earlier"]) == (second.entry_id, first.entry_id)

    await house.send(first.entry_id, Cancel(command_id=CommandId("end")))
    await house.seen(QUEUE, "entry_ended")
    third = await schedules.run("overlapping", LATER + timedelta(minutes=1))
    await house.seen(third.entry_id, "thread_opened")


async def test_what_may_overlap_is_put_behind_and_the_same_time_is_there_once(
    house: House, schedules: TemporalSchedules
) -> None:
    await schedules.add(schedule("queued", overlap=OverlapPolicy.QUEUE))
    one, same = await schedules.run("queued", NOON), await schedules.run("queued", NOON)
    other = await schedules.run("queued", LATER)
    assert one == same != other
    await house.seen(QUEUE, "entry_enqueued", number=2)
    ids = [e.entry.entry_id for e in house.journal.bodies(QUEUE) if e.kind == "entry_enqueued"]
    assert ids == [one.entry_id, other.entry_id]


async def test_a_schedule_that_was_made_anew_leaves_out_what_the_old_one_began(
    house: House, schedules: TemporalSchedules
) -> None:
    old = schedule("anew")
    await schedules.add(schedule("anew", made_at=LATER))
    result = await house.client.execute_workflow(
        ScheduledWorkflow.run,
        old,
        id=scheduled_workflow_id("anew", NOON),
        task_queue=SHARED_QUEUE,
    )
    assert (result.entry_id, result.message) == (
        "",
        "the schedule is no longer what it was: left out",
    )


async def test_nobody_else_starts_one(house: House, server: WorkflowEnvironment) -> None:
    start = schedule("forged")
    forgers = await Client.connect(server.client.service_client.config.target_host)
    tries = [
        (house.client, start, "evil"),
        (house.client, start, scheduled_workflow_id("other", NOON)),
        (forgers, start.model_dump(mode="json"), scheduled_workflow_id("forged", NOON)),
    ]
    for client, content, workflow_id in tries:
        with pytest.raises(WorkflowFailureError) as caught:
            await client.execute_workflow(
                "Scheduled", content, id=workflow_id, task_queue=SHARED_QUEUE
            )
        assert isinstance(caught.value.cause, ApplicationError)
        assert caught.value.cause.type == "forbidden"
    assert house.journal.events == []


async def test_what_nobody_of_ours_has_sealed_is_no_schedule(
    house: House, schedules: TemporalSchedules, server: WorkflowEnvironment
) -> None:
    others = KeyRing(house.folder / "other.keys")
    target = server.client.service_client.config.target_host
    forgers = TemporalSchedules(await Client.connect(target, plugins=[plugin(others)]))
    await forgers.add(schedule("made-up"))
    assert await schedules.current("made-up") is None
    assert "made-up" not in [each.name for each in await schedules.every()]
    await forgers.remove("made-up")


async def test_what_can_not_be_added_is_refused_whole(schedules: TemporalSchedules) -> None:
    made = await schedules.add(schedule("links"))
    assert [due.isoformat() for due in made.next_at] == sorted(d.isoformat() for d in made.next_at)
    assert len(made.next_at) == 3
    for wrong, error in [
        (schedule("links"), ScheduleExistsError),
        (schedule("zone", timezone="Mars/Olympus"), TimezoneError),
        (schedule("cron", cron="0 0 30 2 *"), CronError),
    ]:
        with pytest.raises(error):
            await schedules.add(wrong)
    with pytest.raises(NotFoundError):
        await schedules.view("zone")


async def test_a_paused_schedule_has_no_next_time_until_it_is_resumed(
    schedules: TemporalSchedules,
) -> None:
    await schedules.add(schedule("links"))
    paused = await schedules.pause("links", "on holiday")
    assert (paused.is_paused, paused.note, paused.next_at) == (True, "on holiday", ())
    assert len((await schedules.resume("links", "")).next_at) == 3
    await schedules.remove("links")
    with pytest.raises(NotFoundError):
        await schedules.pause("links", "")


async def test_a_schedule_outlives_the_server(tmp_path: Path) -> None:
    keys = KeyRing(tmp_path / "payload.keys")

    async def start() -> WorkflowEnvironment:
        return await WorkflowEnvironment.start_local(
            dev_server_existing_path=str(Path(sys.executable).parent / "temporal"),
            dev_server_database_filename=str(tmp_path / "temporal.db"),
            dev_server_log_level="error",
            plugins=[plugin(keys)],
        )

    async with await start() as before:
        await register_search_attributes(before.client)
        made = await TemporalSchedules(before.client).add(schedule("links"))
    async with await start() as after:
        assert await TemporalSchedules(after.client).view("links") == made
