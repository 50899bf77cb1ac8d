"""A thread that was archived goes only with as many events as its archive has."""

from datetime import UTC, datetime

import pytest

from domain.core.errors import WrongStateError
from domain.core.event import Event, EventBody
from domain.core.ids import EventId, StreamId, ThreadId
from domain.core.lifecycle.commands import DeleteThread
from domain.core.lifecycle.events import ThreadRenamed
from domain.core.notices import ResourceWarned
from domain.plans.status import PlanStatus
from domain.threads.amending.events import PlanAmended
from domain.threads.lifecycle.counting import recorded_after
from domain.threads.patches import EVENTS_ARE_COUNTED
from domain.threads.rules import THREAD_RULES
from domain.threads.state import ThreadState
from tests.domain.test_inbox import OPENED

THREAD = StreamId("thread-one-1")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def event(name: str, body: EventBody) -> Event:
    return Event(id=EventId(name), stream=THREAD, at=NOW, body=body)


def ended_thread(*patches: str) -> ThreadState:
    opened = OPENED.model_copy(update={"patches": patches})
    return ThreadState(
        thread_id=ThreadId(THREAD), plan_status=PlanStatus.CANCELLED, recorded=7, opened=opened
    )


def test_a_thread_that_was_opened_before_events_were_counted_is_not_compared() -> None:
    removal = DeleteThread(is_pruning=True, recorded=2_000)
    assert THREAD_RULES.decide(ended_thread(), removal, NOW).events


def test_a_thread_with_more_events_than_its_archive_stays() -> None:
    ended = ended_thread(EVENTS_ARE_COUNTED)
    renamed = THREAD_RULES.evolve(ended, ThreadRenamed(topic="wait"))
    removal = DeleteThread(is_pruning=True, recorded=7)

    assert THREAD_RULES.decide(ended, removal, NOW).events
    with pytest.raises(WrongStateError, match="it changed after it was archived"):
        THREAD_RULES.decide(renamed, removal, NOW)
    again = DeleteThread(is_pruning=True, recorded=8)
    assert THREAD_RULES.decide(renamed, again, NOW).events


def test_events_count_by_their_numbers_and_only_those_of_the_thread_itself() -> None:
    renamed = ThreadRenamed(topic="a")
    assert recorded_after(6, event(f"{THREAD}.7", renamed)) == 7
    quoted = PlanAmended.model_construct(quoted_as=EventId("q"))
    assert recorded_after(7, event("q", quoted)) == 8
    assert recorded_after(7, event("warning-1", ResourceWarned(message="disk"))) == 7
    assert recorded_after(7, event("thread-other-2.9", renamed)) == 7


def test_the_number_is_part_of_what_a_code_covers() -> None:
    contents = {DeleteThread(is_pruning=True, recorded=number).content for number in (0, 1, 2)}
    assert contents == {"pruning", "pruning 1", "pruning 2"}
