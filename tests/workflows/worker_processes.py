"""Workers in processes of their own, and what they journal, as a test follows it."""

import asyncio
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from adapters.journal import SqlJournal
from domain.core.event import Event
from tests.fakes import MemoryJournal

ROOT = Path(__file__).parents[2]
PATIENCE = 180


class FollowedJournal(MemoryJournal):
    """What the workers have journaled."""

    def __init__(self, journal: SqlJournal) -> None:
        super().__init__()
        self._journal = journal

    async def until(self, seen) -> Event:
        """Wait until an event has been appended."""
        self.events.clear()
        async for journaled in self._journal.follow():
            self.events.append(journaled.event)
            if seen(journaled.event):
                return journaled.event
        raise AssertionError("a followed journal has no end")


@asynccontextmanager
async def worker(
    module: str, target: str, folder: Path
) -> AsyncGenerator[asyncio.subprocess.Process]:
    """Run a worker in a process of its own."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", f"tests.workflows.{module}", target, str(folder)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert await process.stdout.readline() == b"ready\n"
        yield process
    finally:
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGCONT)
            process.terminate()
        await asyncio.wait_for(process.wait(), PATIENCE)
