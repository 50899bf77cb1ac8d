"""Trackers as doors show them; folded from the journal by the tracker's own rules."""

from datetime import datetime

from domain.core.event import JournaledEvent
from domain.trackers.events import IssueUnwanted
from domain.trackers.rules import evolve
from domain.trackers.state import TrackerState


class TrackerFold:
    """A tracker, rebuilt from the events of its stream; `unwanted_at` is when issues were not wanted any more."""

    def __init__(self) -> None:
        self.state = TrackerState()
        self.position = 0
        self.unwanted_at: dict[str, datetime] = {}

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event."""
        if journaled.position > self.position:
            self.position = journaled.position
            event = journaled.event
            if isinstance(event.body, IssueUnwanted):
                self.unwanted_at[event.body.issue_id] = event.at
            self.state = evolve(self.state, event.body)
