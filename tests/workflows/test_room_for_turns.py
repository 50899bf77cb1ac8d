"""Turns that need a new worktree wait while the disk is short of room; all others go on."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from temporalio.testing import WorkflowEnvironment

from adapters.temporal import RoomForTurns
from domain.core.ids import TaskId
from domain.core.workspaces import WorkspaceSpec
from domain.tasks.running_commands import Cancel
from queues import workers
from tests.workflows.conftest import House, _terminate_all

ONE: dict[str, object] = {"tasks": [{"id": "task-1", "title": "one"}]}
WORDS = "less than 5.0 GB are free"


@dataclass
class Disk:
    """A disk, the tasks that have worktrees on it, and the threads that were told that it is short."""

    words: str = WORDS
    is_full: bool = True
    worktrees: set[TaskId | None] = field(default_factory=set[TaskId | None])
    told: asyncio.Queue[str] = field(default_factory=asyncio.Queue[str])

    def is_short(self) -> bool:
        return self.is_full

    async def find(self, spec: WorkspaceSpec) -> Path | None:
        return Path("/worktree") if spec.task_id in self.worktrees else None

    async def tell(self, thread_id: str, words: str) -> None:
        assert words == WORDS
        await self.told.put(thread_id)


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
async def house(server: WorkflowEnvironment, tmp_path: Path, disk: Disk) -> AsyncIterator[House]:
    """A worker whose disk is short of room."""
    house = House(server.client, tmp_path)
    room = RoomForTurns(disk, disk.find, disk.tell, look_seconds=0.01)
    outside = replace(house.ports(), between=(room,))
    shared, local = workers(house.client, outside, "test", max_turns=8)
    async with shared, local:
        yield house
        disk.is_full = False
        for planned in house.runner.planned.values():
            planned.set()
        await _terminate_all(house.client, {event.stream for event in house.journal.events})


async def test_a_turn_begins_once_there_is_room(house: House, disk: Disk) -> None:
    thread = await house.open()
    assert await disk.told.get() == thread.id
    assert house.runner.calls == []
    disk.is_full = False
    proposed = await house.proposed(thread.id, ONE)
    disk.is_full = True
    await house.approve(thread.id, proposed)
    assert await disk.told.get() == thread.id
    assert len(house.runner.calls) == 1
    disk.is_full = False
    await house.seen(f"{thread.id}/task-1", "gate_opened")
    assert disk.told.empty()


async def test_a_turn_with_a_worktree_goes_on(house: House, disk: Disk) -> None:
    disk.is_full = False
    thread = await house.open()
    proposed = await house.proposed(thread.id, ONE)
    await house.seen(f"{thread.id}/session-1", "turn_ended")  # and so it found room
    disk.is_full, disk.worktrees = True, {TaskId("task-1")}
    await house.approve(thread.id, proposed)
    await house.seen(f"{thread.id}/task-1", "gate_opened")
    assert disk.told.empty()


async def test_what_waits_for_room_can_be_cancelled(house: House, disk: Disk) -> None:
    thread = await house.open()
    await disk.told.get()
    await house.send(thread.id, Cancel())
    await house.seen(f"{thread.id}/session-1", "conversation_closed")
    assert house.runner.calls == []
