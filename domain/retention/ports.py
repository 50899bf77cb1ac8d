"""What retention needs of the outside world."""

from collections.abc import Collection
from typing import Protocol

from domain.core.command import Command
from domain.core.ids import ThreadId
from domain.retention.archives import ArchiveCall, ArchivedThread


class PrunedWorkflows(Protocol):
    """The workflows of threads that are pruned."""

    async def delete(self, thread: ThreadId, command: Command) -> None:
        """Send a thread the command to delete itself; again is once.

        Raises:
            TreadleError: It refuses, or there is none.
        """
        ...

    async def await_end(self, thread: ThreadId) -> str | None:
        """Wait for the end of a thread and return its last message; None where it does not end in time."""
        ...

    async def erase(self, thread: ThreadId, workflows: Collection[str]) -> int:
        """Remove the histories of workflows that have ended, and return how many there were.

        Those of other threads are left alone, and so is what still runs.
        """
        ...


class ThreadArchives(Protocol):
    """Keeps threads in files outside of Treadle."""

    async def archive(self, call: ArchiveCall) -> ArchivedThread:
        """Write a thread's archive, read it back and compare it; one that is there already is enough.

        Raises:
            ArchiveError: It cannot be written, or is not as it was written.
            ArchiveUnreachableError: The store does not answer.
            InvalidError: There is no such place.
        """
        ...
