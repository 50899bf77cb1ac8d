"""A process that archives a thread into a folder and kills itself with -9 right before a step."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from adapters.archives import folder_store, thread_archives
from adapters.archives.folder_store import FolderStore
from adapters.journal import open_journal
from domain.core.ids import ThreadId
from domain.retention.archives import ArchiveCall, ArchivedThread
from domain.retention.policy import PrunableThread

STEPS: dict[str, tuple[Any, str, int]] = {
    "packing": (thread_archives.Contents, "write", 1),
    "writing": (FolderStore, "put", 1),
    "flushing": (os, "fsync", 1),
    "naming": (Path, "replace", 1),
    "flushing the name": (folder_store, "_flush_names", 1),
    "reading back": (FolderStore, "get", 2),
    "answering": (thread_archives, "digest_of", 1),
}
"""What is called at a step, and the how-manieth call it is."""


def kill_at(step: str) -> None:
    """Have this process die at a step."""
    place, name, number = STEPS[step]
    original: Callable[..., Any] = getattr(place, name)
    calls = 0

    def dying(*given: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*given, **named)

    setattr(place, name, dying)


async def archive(database: str, data_dir: Path, folder: str) -> ArchivedThread:
    """Archive the thread of a journal."""
    async with open_journal(database) as journal:
        archives = thread_archives.JournalArchives(journal, data_dir, {})
        thread = PrunableThread(thread_id=ThreadId("thread-a"))
        return await archives.archive(ArchiveCall(thread=thread, location=folder))


if __name__ == "__main__":
    database, data_dir, folder, step = sys.argv[1:]
    kill_at(step)
    asyncio.run(archive(database, Path(data_dir), folder))
