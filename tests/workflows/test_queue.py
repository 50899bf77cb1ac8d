"""The queue on a real server: threads start in their order, once, within the limits."""

from collections.abc import Sequence

import pytest
from temporalio.client import Client, WorkflowFailureError

from adapters.temporal import Starter
from domain.core.errors import ForbiddenError
from domain.core.ids import SHARED_QUEUE, CommandId, ThreadId
from domain.queue.commands import Enqueue, HoldEntry, MoveEntry, ReleaseEntry, SetLimits
from domain.queue.entry import NewEntry, QueueLimits
from domain.queue.inputs import QUEUE, QueueInput
from domain.reading.queue import QueueFold
from domain.tasks.running_commands import Cancel
from domain.threads.inputs import ThreadInput
from tests.workflows.conftest import House
from tests.workflows.test_continue_as_new import runs_of

ONE_AT_A_TIME = QueueLimits(max_running=1, per_project=1)


async def entry(house: House, name: str, **more: object) -> NewEntry:
    thread = ThreadInput(
        thread_id=ThreadId(name), goal=f"goal of {name}", repository="/repo", agent="fake"
    )
    spec = await house.journal.put_text(thread.model_dump_json())
    return NewEntry(**{"entry_id": name, "project": "/repo", "spec_ref": spec, **more})


async def put(house: House, entries: Sequence[NewEntry], limits: QueueLimits) -> None:
    await Starter(house.client).open_queue(QueueInput(defaults=limits))
    await house.send(QUEUE, Enqueue(entries=tuple(entries), defaults=limits))


async def end(house: House, thread: str) -> None:
    """Wait until a thread has been started, and cancel it."""
    await house.seen(thread, "thread_opened")
    await house.send(thread, Cancel(command_id=CommandId(f"end-{thread}")))


def told(house: House, kind: str) -> list[str]:
    return [e.entry_id for e in house.journal.bodies(QUEUE) if e.kind == kind]


async def test_entries_start_one_after_the_other_in_their_order(house: House) -> None:
    late = await entry(house, "thread-late", priority=5)
    first, second = await entry(house, "thread-one"), await entry(house, "thread-two")
    await put(house, [late, first, second], ONE_AT_A_TIME)

    for number, name in enumerate(("thread-one", "thread-two", "thread-late"), 1):
        await house.seen(QUEUE, "entry_started", number=number)
        assert told(house, "entry_starting")[-1] == name
        await end(house, name)
        await house.seen(QUEUE, "entry_ended", number=number)
    assert told(house, "entry_started") == ["thread-one", "thread-two", "thread-late"]
    assert sum(body.kind == "thread_opened" for body in all_bodies(house)) == 3


def all_bodies(house: House) -> list[object]:
    return [event.body for event in house.journal.events]


async def test_what_runs_without_the_queue_takes_a_place(house: House) -> None:
    thread = await house.open()
    await put(house, [await entry(house, "thread-plain")], ONE_AT_A_TIME)
    noted = await house.seen(QUEUE, "statuses_noted")
    assert [load["working"] for load in noted.body.model_dump()["loads"]] == [1]
    assert told(house, "entry_starting") == []

    await house.send(thread.id, Cancel(command_id=CommandId("end")))
    await house.seen(QUEUE, "entry_started")


async def test_a_plain_thread_that_failed_blocks_who_waits_for_it(house: House) -> None:
    thread = await house.open()
    waiting = await entry(house, "thread-after", after=(thread.id,))
    await put(house, [waiting], QueueLimits())
    await house.send(thread.id, Cancel(command_id=CommandId("end")))

    blocked = await house.seen(QUEUE, "entry_blocked")
    assert blocked.body.model_dump()["reason"] == f"{thread.id}: cancelled"
    await house.send(
        QUEUE,
        ReleaseEntry(command_id=CommandId("go"), entry_id="thread-after", is_anyway=True),
    )
    await house.seen(QUEUE, "entry_started")


async def test_a_start_that_is_refused_is_reported_and_tried_again(house: House) -> None:
    house.workspaces.unusable = "no repository any more"
    await put(house, [await entry(house, "thread-refused")], QueueLimits())
    refused = await house.seen(QUEUE, "entry_refused")
    assert refused.body.model_dump()["type"] == "unusable_repository"

    house.workspaces.unusable = None
    again = ReleaseEntry(command_id=CommandId("again"), entry_id="thread-refused")
    await house.send(QUEUE, again)
    await house.seen(QUEUE, "entry_started")


async def test_people_hold_move_and_release_and_each_needs_its_code(house: House) -> None:
    await Starter(house.client).open_queue(QueueInput())
    await house.send(QUEUE, HoldEntry(by="ada"))
    entries = [await entry(house, f"thread-held-{name}") for name in ("one", "two")]
    await put(house, entries, ONE_AT_A_TIME)
    await house.send(QUEUE, MoveEntry(command_id=CommandId("m"), entry_id="thread-held-two"))
    with pytest.raises(ForbiddenError):
        await house.door.send(QUEUE, ReleaseEntry(command_id=CommandId("forged"), code="x"))
    limits = QueueLimits(max_running=2, per_project=2)
    await house.send(QUEUE, SetLimits(command_id=CommandId("l"), limits=limits))
    await house.send(QUEUE, ReleaseEntry(command_id=CommandId("r")))

    await house.seen(QUEUE, "entry_started", number=2)
    assert told(house, "entry_starting") == ["thread-held-two", "thread-held-one"]
    fold = QueueFold()
    for journaled in await house.journal.read(QUEUE):
        fold.add(journaled)
    assert fold.view().running == 2
    assert all(line.entry.started_at for line in fold.view().entries)


async def test_the_queue_goes_on_over_many_runs(hasty: House) -> None:
    entries = [await entry(hasty, f"thread-{number}") for number in range(6)]
    await put(hasty, entries, ONE_AT_A_TIME)
    for number in range(6):
        await hasty.seen(QUEUE, "entry_started", number=number + 1)
        await end(hasty, f"thread-{number}")
    await hasty.seen(QUEUE, "entry_ended", number=6)

    assert told(hasty, "entry_started") == [f"thread-{number}" for number in range(6)]
    assert await runs_of(hasty.client, QUEUE) > 2


async def test_a_queue_that_a_stranger_began_ends_at_once_and_ours_takes_its_place(
    house: House,
) -> None:
    address = house.client.service_client.config.target_host
    stranger = await Client.connect(address)
    forged = await stranger.start_workflow("Queue", {}, id=QUEUE, task_queue=SHARED_QUEUE)
    with pytest.raises(WorkflowFailureError):
        await forged.result()

    await put(house, [await entry(house, "thread-genuine")], QueueLimits())
    await house.seen(QUEUE, "entry_started")
