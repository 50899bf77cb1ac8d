"""A scenario of entries that wait for each other, to be recorded."""

import contextlib

from temporalio.service import RPCError

from adapters.temporal import Starter
from domain.core.ids import CommandId, ThreadId
from domain.queue.commands import Enqueue, HoldEntry, MoveEntry, ReleaseEntry, RemoveEntry
from domain.queue.entry import NewEntry, QueueLimits
from domain.queue.inputs import QUEUE, QueueInput
from domain.threads.inputs import ThreadInput
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE

ALSO = {"queue": str(QUEUE)}
"""What is recorded beside the thread: by the name of its kind, the workflow's id."""


async def queued_threads(house: House) -> str:
    """Three threads: one moved to the front, one that waits for it and is refused, one removed."""
    with contextlib.suppress(RPCError):  # an earlier scenario may have had one
        await house.client.get_workflow_handle(QUEUE).terminate()
    await Starter(house.client).open_queue(QueueInput(defaults=QueueLimits(max_running=1)))
    await house.send(QUEUE, HoldEntry(by="tester"))
    first, second, third = [await _entry(house, f"thread-queued-{n}") for n in (1, 2, 3)]
    second = second.model_copy(update={"after": (first.entry_id,)})
    entries = (third, second, first)
    await house.send(QUEUE, Enqueue(command_id=CommandId("put"), entries=entries))
    move = MoveEntry(command_id=CommandId("move"), entry_id=first.entry_id)
    await house.send(QUEUE, move)
    await house.send(QUEUE, RemoveEntry(entry_id=third.entry_id, by="tester"))
    await house.send(QUEUE, ReleaseEntry(command_id=CommandId("release")))
    await house.seen(QUEUE, "entry_started")
    thread, task = first.entry_id, f"{first.entry_id}/task-1"
    await house.approve(thread, await house.proposed(thread, ONE))
    house.workspaces.unusable = "its disk is gone"
    await house.approve(task, await house.seen(task, "gate_opened"))
    await house.seen(QUEUE, "entry_refused")
    return thread


async def _entry(house: House, name: str) -> NewEntry:
    thread = ThreadInput(thread_id=ThreadId(name), goal="wait", repository="/repo", agent="fake")
    spec = await house.journal.put_text(thread.model_dump_json())
    return NewEntry(entry_id=name, project="/repo", spec_ref=spec)
