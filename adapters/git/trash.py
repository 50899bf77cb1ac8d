"""Folders that nobody needs any more, deleted in the background.

To delete 20,000 files takes seconds, for which no merge should wait. A folder is thrown away by a rename;
what a killed worker did not get to delete, the next one does.
"""

import asyncio
import contextvars
import logging
import secrets
from pathlib import Path

from adapters.files.removal import remove_tree

PREFIX = "trash-"

ELSEWHERE = "elsewhere"
"""Where what was not in a repository's folder waits to be deleted."""

LARGE_INDEX_BYTES = 100_000
"""About 1,000 files: with fewer a folder is deleted as fast as it is thrown away."""

_LOG = logging.getLogger(__name__)


class Trash:
    """What was thrown away of all repositories of this host."""

    def __init__(self, worktrees: Path) -> None:
        self._worktrees = worktrees
        self._emptying: asyncio.Task[None] | None = None

    def throw(self, folder: Path) -> None:
        """Have a folder below one of the worktrees' folders deleted; returns at once."""
        folder.rename(folder.with_name(f"{PREFIX}{secrets.token_hex(4)}"))
        if self._emptying is None or self._emptying.done():
            # the children of whoever threw it away belong to a workspace, this does not
            context = contextvars.Context()
            self._emptying = asyncio.create_task(self.empty(), name="trash", context=context)

    def bring(self, folder: Path) -> None:
        """Take a folder from anywhere on the same disk; whoever empties the trash next deletes it."""
        place = self._worktrees / ELSEWHERE
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.rename(place / f"{PREFIX}{secrets.token_hex(4)}")

    async def empty(self) -> None:
        """Delete all that was thrown away, one folder after the other."""
        failed = set[Path]()
        while found := set(self._worktrees.glob(f"*/{PREFIX}*")) - failed:
            folder = found.pop()
            try:
                await asyncio.to_thread(remove_tree, folder)
            except OSError as error:
                failed.add(folder)
                _LOG.warning("a folder stays in the trash", extra={"reason": str(error)})
