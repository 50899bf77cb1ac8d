"""The ports of trackers, beside that of domain/forges/ports.py, which speaks with one."""

from typing import NamedTuple, Protocol

from domain.forges.issues import Issue
from domain.forges.ports import Tracker
from domain.queue.commands import EnqueueScheduled
from domain.threads.inputs import ThreadInput
from domain.trackers.source import TrackerSource


class ConfiguredTracker(NamedTuple):
    """A source of the settings, and what speaks with its tracker."""

    source: TrackerSource
    tracker: Tracker


class Trackers(Protocol):
    """The trackers of the settings."""

    def find(self, name: str) -> ConfiguredTracker | None:
        """Return a tracker by its name; None where the settings have none of it now."""
        ...

    def prepare(self, source: TrackerSource, issue: Issue, entry_id: str) -> ThreadInput:
        """Return the thread of an issue.

        Raises:
            TreadleError: None can be opened, as there is no agent for it.
        """
        ...


class EntryDoor(Protocol):
    """The door of the queue for entries that no person asked for just now."""

    async def enqueue(self, scheduled: EnqueueScheduled) -> None:
        """Tell the queue of an entry; one that it knows is passed over.

        Raises:
            QueueFullError: There is no room for it now.
        """
        ...
