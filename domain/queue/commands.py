"""What people say to the queue."""

import hashlib
from typing import Literal

from pydantic import Field

from domain.core.command import MAX_NAME, MAX_TEXT, Coded, Stopping
from domain.core.wire import Wire
from domain.queue.entry import NewEntry, Priority, QueueLimits

MAX_AT_ONCE = 100
"""Entries of one command: it lies in a history."""


class Enqueue(Coded):
    """Put entries into the queue, all or none; they may wait for each other.

    `defaults` are the limits of the settings, for as long as no person has set others.
    """

    door = "enqueue"

    entries: tuple[NewEntry, ...] = Field(min_length=1, max_length=MAX_AT_ONCE)
    defaults: QueueLimits | None = None

    @property
    def content(self) -> str:
        """The hash of the entries."""
        text = "\n".join(entry.model_dump_json() for entry in self.entries)
        return hashlib.sha256(text.encode()).hexdigest()


class MoveEntry(Coded):
    """Put an entry in front of another, which gives it that one's priority, or give it a priority.

    Before nothing and with no priority it goes in front of all that wait.
    """

    door = "move_entry"

    entry_id: str = Field(max_length=MAX_NAME)
    before: str | None = Field(default=None, max_length=MAX_NAME)
    priority: Priority | None = None

    @property
    def content(self) -> str:
        """What moves, and where."""
        return f"{self.entry_id} {self.before or ''} {self.priority or ''}"


class HoldEntry(Stopping):
    """Do not start an entry until it is released; without an id, no entry at all."""

    door = "hold_entry"

    entry_id: str | None = Field(default=None, max_length=MAX_NAME)
    reason: str = Field(default="", max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """What is held."""
        return self.entry_id or ""


class ReleaseEntry(Coded):
    """Let an entry start again, or the whole queue; `anyway` also where its dependencies failed.

    An entry that was refused at its start is tried again.
    """

    door = "release_entry"

    entry_id: str | None = Field(default=None, max_length=MAX_NAME)
    is_anyway: bool = False

    @property
    def content(self) -> str:
        """What is released, and how far."""
        return f"{self.entry_id or ''}{' anyway' if self.is_anyway else ''}"


class RemoveEntry(Stopping):
    """Take an entry out of the queue; what it has started goes on, or with `only_waiting` it is refused."""

    door = "remove_entry"

    entry_id: str = Field(max_length=MAX_NAME)
    only_waiting: bool = False

    @property
    def content(self) -> str:
        """The entry, and whether only one that waits is meant."""
        return f"{self.entry_id}{' waiting' if self.only_waiting else ''}"


class SetLimits(Coded):
    """Say how much may run at the same time; None goes back to the settings."""

    door = "set_limits"

    limits: QueueLimits | None = None

    @property
    def content(self) -> str:
        """The limits."""
        return self.limits.model_dump_json() if self.limits else ""


class EnqueueScheduled(Wire):
    """What a schedule puts into the queue; told by its workflow in the signal `enqueue_scheduled`.

    With the overlap `skip` it is left out while an earlier entry of its series is not over.
    """

    entry: NewEntry
    overlap: Literal["skip", "queue"] = "skip"
    by: str = Field(default="", max_length=MAX_TEXT)
