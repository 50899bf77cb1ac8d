"""What a follower sees through many reconnects, while the writer is killed, is what is stored."""

import asyncio
import contextlib
import sys

from adapters.journal import open_journal
from tests.adapters.test_journal import ROOT

EVENTS = 20_000
AT_ONCE = 100
RECONNECTS = 50
KILLS = (5, 15, 30)
"""The reconnects at which the writer is killed and begins again from its first event."""
DEADLINE = 120


async def start_writer(url: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.adapters.journal_writer", url, "s", str(EVENTS)),
        str(AT_ONCE),
        cwd=ROOT,
        stdout=asyncio.subprocess.DEVNULL,
    )


async def test_what_is_streamed_through_reconnects_and_kills_is_what_is_stored(tmp_path):
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    streamed = []
    writer = await start_writer(url)
    async with open_journal(url) as journal, asyncio.timeout(DEADLINE):
        for connection in range(1, RECONNECTS + 1):
            after = streamed[-1].position if streamed else 0
            upto = EVENTS * connection // RECONNECTS
            async with contextlib.aclosing(journal.follow(after=after)) as events:
                while len(streamed) < upto:
                    streamed.append(await anext(events))
            if connection in KILLS:
                with contextlib.suppress(ProcessLookupError):  # it may have written all by now
                    writer.kill()
                await writer.wait()
                writer = await start_writer(url)
        assert await writer.wait() == 0
        stored = await journal.read(limit=EVENTS + 1)

    assert streamed == stored
    assert [j.event.id for j in stored] == [f"s:{n}" for n in range(EVENTS)]
