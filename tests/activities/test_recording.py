"""What an agent says is written down while it works, also after a journal that failed for a moment."""

import asyncio

from activities.recording import TurnRecorder
from domain.errors import JournalError
from domain.events.session import PromptSent
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
    recorder = TurnRecorder(journal, TURN, 1)

    async with asyncio.timeout(30), recorder.flushing():
        await recorder.record(PromptSent(turn_id=TURN.turn_id, text="do it"))
        event = await journal.until(lambda _: True)

    assert event.id == f"{TURN.turn_id}:1:1"
    assert len(journal.events) == 1
