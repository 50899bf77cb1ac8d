"""Where the rules of trackers are registered; domain/trackers/rules.py imports all that register some."""

from domain.core.kernel import Rules
from domain.trackers.effects import WatchTracker
from domain.trackers.state import TrackerState

TRACKER_RULES = Rules[TrackerState, WatchTracker]("a tracker")
