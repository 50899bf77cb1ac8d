"""What people do with a thread as a whole."""

from pydantic import Field

from domain.core.command import MAX_NAME, Coded


class Rename(Coded):
    """Give the thread a topic of one's own."""

    door = "rename"

    topic: str = Field(min_length=1, max_length=MAX_NAME)


class Archive(Coded):
    """Put the thread away; it stays readable, and what runs goes on."""

    door = "archive"


class Unarchive(Coded):
    """Put the thread back among the others."""

    door = "unarchive"


class DeleteThread(Coded):
    """Remove the thread with all that it holds.

    A running plan is cancelled, and branches with work that is nowhere else are removed, only where it
    is forced.
    """

    door = "delete_thread"

    is_forced: bool = False

    @property
    def content(self) -> str:
        """Whether it is forced."""
        return "forced" if self.is_forced else ""
