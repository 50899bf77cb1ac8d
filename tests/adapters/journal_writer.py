"""Another process that writes to a journal: URL, a name, and how many events it appends.

Prints the id of each event once it is acknowledged.
"""

import asyncio
import sys
from datetime import UTC, datetime

from adapters.journal import open_journal
from domain.events import Event
from domain.events.session import AgentNotice
from domain.ids import EventId, StreamId, TurnId


def notice(name: str, number: int, stream: str | None = None) -> Event:
    return Event(
        id=EventId(f"{name}:{number}"),
        stream=StreamId(stream or f"thread-{name}"),
        at=datetime.now(UTC),
        body=AgentNotice(turn_id=TurnId(name), message=f"{number}"),
    )


async def write(url: str, name: str, count: int) -> None:
    async with open_journal(url) as journal:
        for number in range(count):
            event = notice(name, number)
            await journal.append([event])
            print(event.id, flush=True)  # noqa: T201 (the test reads it)


if __name__ == "__main__":
    asyncio.run(write(sys.argv[1], sys.argv[2], int(sys.argv[3])))
