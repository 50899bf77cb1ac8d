"""Events of the queue's stream, `queue`."""

from typing import Literal

from pydantic import Field

from domain.core.event import EventBody
from domain.queue.entry import NewEntry, QueueLimits
from domain.queue.status import Load, WorkStatus


class QueueOpened(EventBody):
    """The queue is there, with nothing in it; whatever an earlier one held is forgotten."""

    kind: Literal["queue_opened"] = "queue_opened"
    defaults: QueueLimits = QueueLimits()


class EntryEnqueued(EventBody):
    """An entry came, at the end of those of its priority."""

    kind: Literal["entry_enqueued"] = "entry_enqueued"
    entry: NewEntry
    by: str = ""


class EntrySkipped(EventBody):
    """A schedule's entry was left out: an `earlier` one of its series is not over, or it was refused."""

    kind: Literal["entry_skipped"] = "entry_skipped"
    series: str
    entry_id: str
    earlier: str = ""
    reason: str = ""


class EntryMoved(EventBody):
    """A person gave an entry another place; `before` is the entry behind it, None for the end."""

    kind: Literal["entry_moved"] = "entry_moved"
    entry_id: str
    priority: int
    before: str | None = None
    by: str = ""


class EntryHeld(EventBody):
    """A person holds an entry; without an id, the whole queue."""

    kind: Literal["entry_held"] = "entry_held"
    entry_id: str | None = None
    reason: str = ""
    by: str = ""


class EntryReleased(EventBody):
    """A person lets an entry start again; without an id, the queue with all its entries."""

    kind: Literal["entry_released"] = "entry_released"
    entry_id: str | None = None
    is_anyway: bool = False
    by: str = ""


class EntryBlocked(EventBody):
    """Something that an entry waits for has not completed, and will not by itself."""

    kind: Literal["entry_blocked"] = "entry_blocked"
    entry_id: str
    reason: str


class EntryUnblocked(EventBody):
    """What blocked an entry is no more."""

    kind: Literal["entry_unblocked"] = "entry_unblocked"
    entry_id: str


class EntryStarting(EventBody):
    """An entry has a place, and is being started."""

    kind: Literal["entry_starting"] = "entry_starting"
    entry_id: str
    attempt: int


class EntryStarted(EventBody):
    """An entry's thread or flow run is there; `host` is the one that it was placed on, if that is known."""

    kind: Literal["entry_started"] = "entry_started"
    entry_id: str
    host: str = Field(default="", exclude_if=lambda host: not host)


class EntryRefused(EventBody):
    """An entry could not be started; it waits for a person."""

    kind: Literal["entry_refused"] = "entry_refused"
    entry_id: str
    type: str
    reason: str


class EntryEnded(EventBody):
    """An entry's thread or flow run ended; `outcome` is its last status."""

    kind: Literal["entry_ended"] = "entry_ended"
    entry_id: str
    outcome: str


class EntryRemoved(EventBody):
    """A person took an entry out."""

    kind: Literal["entry_removed"] = "entry_removed"
    entry_id: str
    by: str = ""


class LimitsSet(EventBody):
    """How much may run; with `is_default` it is what the settings say, and no person's word."""

    kind: Literal["limits_set"] = "limits_set"
    limits: QueueLimits | None
    is_default: bool = False
    by: str = ""


class StatusesNoted(EventBody):
    """How threads and flow runs stand has changed: those of `standings`, and all `loads`."""

    kind: Literal["statuses_noted"] = "statuses_noted"
    statuses: dict[str, WorkStatus] = {}
    loads: tuple[Load, ...] = ()


QueueEvent = (
    QueueOpened
    | EntryEnqueued
    | EntrySkipped
    | EntryMoved
    | EntryHeld
    | EntryReleased
    | EntryBlocked
    | EntryUnblocked
    | EntryStarting
    | EntryStarted
    | EntryRefused
    | EntryEnded
    | EntryRemoved
    | LimitsSet
    | StatusesNoted
)
