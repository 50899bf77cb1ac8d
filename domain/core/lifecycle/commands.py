"""What people do with a thread as a whole."""

from pydantic import Field

from domain.core.command import MAX_NAME, Coded


class Rename(Coded):
    """Give the thread a topic of one's own."""

    door = "rename"

    topic: str = Field(min_length=1, max_length=MAX_NAME)


class Assign(Coded):
    """Say who takes care of the thread; empty is nobody in particular."""

    door = "assign"

    person: str = Field(default="", max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """Who."""
        return self.person


class Archive(Coded):
    """Put the thread away; it stays readable, and what runs goes on."""

    door = "archive"


class Unarchive(Coded):
    """Put the thread back among the others."""

    door = "unarchive"


class Pin(Coded):
    """Keep the thread: no prune removes it."""

    door = "pin"


class Unpin(Coded):
    """Let prunes remove the thread again."""

    door = "unpin"


class DeleteThread(Coded):
    """Remove the thread with all that it holds.

    A running plan is cancelled, and branches with work that is nowhere else are removed, only where it
    is forced. A prune's is refused by a thread that is pinned or at work, or that has another number of
    events than its archive (`recorded`; 0 is any).
    """

    door = "delete_thread"

    is_forced: bool = False
    is_pruning: bool = False
    recorded: int = Field(default=0, ge=0)

    @property
    def content(self) -> str:
        """Whether it is forced, or a prune's, and of what was archived."""
        how = "forced" if self.is_forced else "pruning" if self.is_pruning else ""
        return f"{how} {self.recorded}" if self.recorded else how
