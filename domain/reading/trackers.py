"""Trackers as doors show them; folded from the journal by the tracker's own rules."""

from domain.core.event import JournaledEvent
from domain.trackers.rules import evolve
from domain.trackers.state import TrackerState


class TrackerFold:
    """A tracker, rebuilt from the events of its stream."""

    def __init__(self) -> None:
        self.state = TrackerState()
        self.position = 0

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event."""
        if journaled.position > self.position:
            self.position = journaled.position
            self.state = evolve(self.state, journaled.event.body)
