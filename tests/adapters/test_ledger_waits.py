"""What the ledger tells of turns that wait at limits, and of those that are over."""

from datetime import UTC, datetime

from domain.agents.agents import StopReason, TurnResult
from domain.agents.limits.money import TurnLimits
from domain.conversations.events import TurnEnded
from domain.core.event import Event
from domain.core.ids import EventId, SessionId, StreamId
from tests.adapters.test_ledger import (
    CENTURY,
    DOLLAR,
    NOVEMBER,
    NOW,
    clock,
    entry,
    journal,
    ledger,
    paid,
)

__all__ = ["clock", "journal", "ledger"]


async def test_a_turn_that_begins_to_wait_while_another_is_stopped_waits_on(ledger):
    await ledger.settle(entry(1), paid(2))
    await ledger.reserve(entry(2, thread="thread-b"))
    stopped = await ledger.waiting(NOVEMBER)
    await ledger.reserve(entry(3, thread="thread-b"))  # a message began it

    await ledger.stopped([each.key for each in stopped])

    assert [each.turn for each in await ledger.waiting(NOVEMBER)] == [
        "thread-b/t1/session-1/turn-3"
    ]


async def test_a_task_that_goes_on_does_not_wait_with_an_earlier_turn(ledger):
    await ledger.settle(entry(1), paid(2))
    await ledger.reserve(entry(2, thread="thread-b"))
    await ledger.reserve(entry(3, thread="thread-b"))

    assert len(await ledger.waiting(NOVEMBER)) == 1


async def test_a_turn_that_a_person_stopped_while_it_waited_has_ended(ledger, journal):
    await ledger.settle(entry(1), paid(2))
    await ledger.reserve(entry(2))
    (waits,) = await ledger.waiting(NOVEMBER)
    assert not await ledger.has_ended(waits)

    result = TurnResult(turn_id=waits.turn, stop_reason=StopReason.CANCELLED)
    body = TurnEnded(session_id=SessionId("thread-a/t1/session-1"), result=result)
    stream = StreamId("thread-a/t1")
    # a task numbers the ends of its turns by itself
    await journal.append([Event(id=EventId("thread-a/t1.9"), stream=stream, at=NOW, body=body)], [])

    assert await ledger.has_ended(waits)


async def test_what_waits_is_told_by_its_limits(ledger):
    assert (await ledger.held(), (await ledger.unmet()).reached) == ({}, ())
    await ledger.settle(entry(1), paid(2))
    await ledger.reserve(entry(2, thread="thread-b"))
    await ledger.reserve(entry(3, thread="thread-c"))

    assert (await ledger.held())[NOVEMBER.key] == ("thread-b", "thread-c")
    unmet = await ledger.unmet()
    assert [each.scope for each in unmet.reached] == [NOVEMBER]
    assert unmet.month_ends == datetime(2026, 12, 1, tzinfo=UTC)


async def test_what_turns_on_a_flat_plan_reserved_is_told_apart(ledger):
    await ledger.reserve(entry(1))
    await ledger.reserve(entry(2, thread="thread-b", is_included=True))

    lost = await ledger.reserved(-CENTURY)

    assert {each.owner: each.is_included for each in lost} == {
        "thread-a/t1": False,
        "thread-b/t1": True,
    }


async def test_a_deleted_thread_is_not_named_by_the_turns_of_its_children(ledger, journal):
    below = TurnLimits(thread="thread-a", thread_usd=1)
    await ledger.settle(entry(1, thread="thread-b", limits=below), paid(0.5))

    await journal.forget(StreamId("thread-a"))

    thread, month = await ledger.accounts(entry(2, limits=TurnLimits(thread_usd=1), task=""))
    assert (thread.scope.name, thread.settled, month.settled) == ("thread-a", 0, DOLLAR // 2)
    assert (await ledger.threads(["thread-b"]))["thread-b"] == paid(0.5)
