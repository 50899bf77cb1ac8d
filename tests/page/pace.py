"""An agent's talk written straight into a journal, at a pace that no busy machine lowers."""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from adapters.journal import SqlJournal, open_journal
from domain.conversations.events import AgentUpdate
from domain.core.event import Event
from domain.core.ids import EventId, StreamId, TurnId
from settings import Settings
from tests.page.stories.hostile import called, spoken
from tests.page.stories.place import Json

BURST = 10
TICK_SECONDS = 0.05
AT_ONCE = 1_000


class Talk:
    """Writes what an agent does in a session: calls of a tool, numbered, and a few words."""

    def __init__(self, journal: SqlJournal, session: str) -> None:
        self.calls = 0
        self._journal = journal
        self._session = session

    async def write(self, events: int) -> None:
        """Write so many events, in bursts of which half are calls."""
        left = events
        while left > 0:
            size = min(left, AT_ONCE)
            updates = [update for _ in range(size // BURST) for update in self._burst()]
            await self._journal.append([self._event(update) for update in updates])
            left -= size

    async def flow(self, events_a_second: int, over: asyncio.Event) -> None:
        """Write at a steady pace until it is over, and what was begun to its end."""
        began, written = time.monotonic(), 0
        while not over.is_set():
            due = int((time.monotonic() - began) * events_a_second) - written
            await self.write(due - due % BURST)
            written += due - due % BURST
            await asyncio.sleep(TICK_SECONDS)

    def _burst(self) -> Iterator[Json]:
        for _ in range(BURST // 2):
            yield called(self.calls)
            self.calls += 1
        for _ in range(BURST // 2):
            yield spoken("A word, and **another**. ")

    def _event(self, update: Json) -> Event:
        body = AgentUpdate(turn_id=TurnId(f"{self._session}/turn-9"), update=update)
        stream = StreamId(self._session)
        return Event(id=EventId(uuid.uuid4().hex), stream=stream, at=datetime.now(UTC), body=body)


@asynccontextmanager
async def talk_in(settings: Settings, thread: str) -> AsyncGenerator[Talk]:
    """Open the journal of an engine for a talk in a thread's first session."""
    async with open_journal(settings.journal) as journal:
        yield Talk(journal, f"{thread}/session-1")
