"""What people do with a thread as a whole (features.md A7)."""

from pydantic import Field

from domain.commands.base import MAX_NAME, Coded


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
