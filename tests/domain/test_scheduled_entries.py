"""What schedules put into the queue: each entry once, and none beside an earlier one that still runs."""

import pytest

from domain.queue.commands import EnqueueScheduled, RemoveEntry
from domain.queue.status import Phase
from tests.domain.test_queue_rules import Desk, new


def test_a_schedule_leaves_out_what_would_overlap():
    desk = Desk(max_running=1)
    first = EnqueueScheduled(entry=new("a", series="nightly"))
    desk.say(first)
    desk.say(first)  # told again
    desk.say(EnqueueScheduled(entry=new("b", series="nightly")))
    assert list(desk.state.entries) == ["a"]

    desk.say(EnqueueScheduled(entry=new("c", series="nightly"), overlap="queue"))
    assert list(desk.state.entries) == ["a", "c"]


@pytest.mark.parametrize("overlap", ["skip", "queue"])
@pytest.mark.parametrize("fate", ["waits", "started", "ended", "removed"])
def test_a_scheduled_entry_is_entered_once_however_often_its_schedule_says_so(
    overlap: str, fate: str
):
    desk = Desk()
    scheduled = EnqueueScheduled(entry=new("a", series="nightly"), overlap=overlap)
    desk.say(scheduled)
    if fate in {"started", "ended"}:
        desk.stands()
        desk.started("a")
    if fate == "ended":
        desk.stands(a=Phase.COMPLETED)
    if fate == "removed":
        desk.say(RemoveEntry(entry_id="a"))
    before, count = desk.state, len(desk.events)

    desk.say(scheduled)

    assert desk.state == before
    assert len(desk.events) == count
