"""Another process that writes to a journal: URL, a name, how many events, how many at a time.

Prints the id of each event once it is acknowledged, and `! reason` where one was refused; what was
refused is tried again after a line (or the end) of its input. With `--fsync-fails-after N` the disk fails to keep what comes after N events.
"""

import argparse
import asyncio
import errno
import sys
from datetime import UTC, datetime

from adapters.journal import open_journal
from domain.conversations.events import AgentNotice
from domain.core.errors import JournalError
from domain.core.event import Event
from domain.core.ids import EventId, StreamId, TurnId
from tests.adapters.failing_disk import fail_syncs

PAUSE = 0.02


def notice(name: str, number: int, stream: str | None = None) -> Event:
    return Event(
        id=EventId(f"{name}:{number}"),
        stream=StreamId(stream or f"thread-{name}"),
        at=datetime.now(UTC),
        body=AgentNotice(turn_id=TurnId(name), message=f"{number}"),
    )


async def write(asked: argparse.Namespace) -> None:
    async with open_journal(asked.url) as journal:
        for first in range(0, asked.count, asked.at_once):
            if asked.fsync_fails_after is not None and first >= asked.fsync_fails_after:
                fail_syncs(errno.EIO)
            events = [notice(asked.name, first + n) for n in range(asked.at_once)]
            while True:
                try:
                    await journal.append(events)
                    break
                except JournalError as error:
                    print("!", error, flush=True)  # noqa: T201 (the test reads it)
                    sys.stdin.readline()
                    await asyncio.sleep(PAUSE)
            for event in events:
                print(event.id, flush=True)  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("name")
    parser.add_argument("count", type=int)
    parser.add_argument("at_once", type=int, nargs="?", default=1)
    parser.add_argument("--fsync-fails-after", type=int)
    asyncio.run(write(parser.parse_args()))


if __name__ == "__main__":
    main()
