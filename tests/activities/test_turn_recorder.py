"""What an agent says is written down while it works, also after a journal that failed for a moment."""

import asyncio

import pytest

from activities.turn_recorder import MAX_WAITING, TurnRecorder
from domain.conversations.events import PromptSent
from domain.core.errors import JournalError, SupersededError
from tests import fakes
from tests.activities.test_turns import TURN


class FullForAMoment(fakes.MemoryJournal):
    """A journal whose disk is full at the first write."""

    is_full = True

    async def append(self, events, headlines=()) -> None:
        if self.is_full:
            self.is_full = False
            raise JournalError("disk full: 0 MB free")
        await super().append(events, headlines)


async def test_events_are_written_again_once_there_is_room() -> None:
    journal = FullForAMoment()
    recorder = TurnRecorder(journal, TURN, 1, fakes.OpenFences())

    async with asyncio.timeout(30), recorder.flushing():
        await recorder.record(PromptSent(turn_id=TURN.turn_id, text="do it"))
        event = await journal.until(lambda _: True)

    assert event.id == f"{TURN.turn_id}:1:1"
    assert len(journal.events) == 1


class Slow(fakes.MemoryJournal):
    """A journal that takes nothing until it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.goes_on = asyncio.Event()

    async def append(self, events, headlines=()) -> None:
        await self.goes_on.wait()
        await super().append(events, headlines)


async def test_an_agent_waits_with_what_it_says_while_the_journal_is_slow() -> None:
    journal, said = Slow(), 0
    recorder = TurnRecorder(journal, TURN, 1, fakes.OpenFences())

    async def talk() -> None:
        nonlocal said
        for said in range(2 * MAX_WAITING):
            await recorder.record(PromptSent(turn_id=TURN.turn_id, text=str(said)))

    async with asyncio.timeout(30), recorder.flushing():
        talking = asyncio.create_task(talk())
        for _ in range(100):
            await asyncio.sleep(0)
        assert said == MAX_WAITING
        journal.goes_on.set()
        await talking

    assert [event.body.text for event in journal.events] == [str(n) for n in range(2 * MAX_WAITING)]


class TakenOver(fakes.OpenFences):
    """A fence that a newer attempt takes over when it is told to."""

    is_stale = False

    def refuse_stale(self) -> None:
        if self.is_stale:
            raise SupersededError("a newer attempt took this workspace over")


async def test_what_a_superseded_attempt_has_still_in_hand_is_not_written() -> None:
    journal, fence = fakes.MemoryJournal(), TakenOver()
    recorder = TurnRecorder(journal, TURN, 1, fence)

    async def come_back_late() -> None:
        async with recorder.flushing():
            await recorder.record(PromptSent(turn_id=TURN.turn_id, text="in time"))
            await journal.until(lambda _: True)
            fence.is_stale = True
            await recorder.record(PromptSent(turn_id=TURN.turn_id, text="late"))

    with pytest.raises(SupersededError):
        await come_back_late()
    assert [event.body.text for event in journal.events] == ["in time"]
