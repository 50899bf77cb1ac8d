"""An issue that comes while the queue is full, on a real server: it waits for room, and is not lost."""

import pytest

from domain.core.command import Answer
from domain.core.ids import CommandId
from domain.queue import arrivals
from domain.queue.commands import RemoveEntry
from domain.queue.inputs import QUEUE
from tests.trackers.paper import PaperTracker
from tests.workflows.conftest import House
from tests.workflows.test_tracker import (
    WORK,
    entered,
    entry,
    hint,
    hold,
    house,
    looked,
    tracker,
    trackers,
    troubled,
)

__all__ = ["house", "tracker", "trackers"]


async def test_an_issue_that_finds_the_queue_full_goes_in_once_there_is_room(
    house: House, tracker: PaperTracker, monkeypatch: pytest.MonkeyPatch
) -> None:
    tracker.open("8")
    await hint(house)
    await house.seen(entry("8"), "thread_opened")
    await hold(house)
    tracker.open("9")
    await hint(house)
    await house.seen(QUEUE, "entry_enqueued", number=2)
    await house.seen(WORK, "issue_queued", number=2)

    monkeypatch.setattr(arrivals, "MAX_OPEN", 2)
    tracker.open("1")
    await hint(house)
    await troubled(house, "1", "full")
    await looked(house, tracker)
    assert entry("1") not in entered(house)
    assert "entry_skipped" not in house.journal.kinds(QUEUE)

    gone = RemoveEntry(command_id=CommandId("gone"), entry_id=entry("9"))
    assert isinstance(await house.send(QUEUE, gone), Answer)
    await hint(house)
    await house.seen(QUEUE, "entry_enqueued", number=3)
    assert entry("1") in await tracker.told("1", "In Treadle's queue")
    assert entered(house).count(entry("1")) == 1
