"""Events about the journal itself: one that stands in for a damaged event, and one of its repair."""

from typing import Literal

from domain.core.event import EventBody


class EventDamaged(EventBody):
    """The event at this position cannot be read; readers get this instead. It is never journaled.

    `was` is its kind, as far as that can still be read.
    """

    kind: Literal["event_damaged"] = "event_damaged"
    position: int
    was: str = ""
    reason: str = ""


class EventRebuilt(EventBody):
    """The event at this position was damaged, and is again what Temporal's history has of it."""

    kind: Literal["event_rebuilt"] = "event_rebuilt"
    position: int


DamageEvent = EventDamaged | EventRebuilt
