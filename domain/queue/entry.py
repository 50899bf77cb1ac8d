"""What waits in the queue, and how much of it may run at the same time."""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from domain.core.wire import Wire
from domain.forges.issues import IssueLink

MAX_AFTER = 50
"""How many others one entry may wait for."""

COMPLETED = "completed"
"""The reason of an entry that ended well."""

_MAX_ID = 300
_MAX_PATH = 4_096


class EntryKind(StrEnum):
    """What an entry becomes."""

    THREAD = "thread"
    FLOW = "flow"


class EntryState(StrEnum):
    """Where an entry stands; `ended` and `removed` ones are kept for a while to be read."""

    WAITING = "waiting"
    HELD = "held"
    BLOCKED = "blocked"
    STARTING = "starting"
    STARTED = "started"
    ENDED = "ended"
    REMOVED = "removed"

    @property
    def is_over(self) -> bool:
        """Whether nothing of the entry is to come."""
        return self in {EntryState.ENDED, EntryState.REMOVED}

    @property
    def is_before_start(self) -> bool:
        """Whether it has not been started."""
        return self in {EntryState.WAITING, EntryState.HELD, EntryState.BLOCKED}


Priority = Annotated[int, Field(ge=1, le=5)]
"""1 is first, 5 is last."""

EntryId = Annotated[str, Field(min_length=1, max_length=_MAX_ID)]


class NewEntry(Wire):
    """Something to put into the queue.

    `entry_id` is the id that its thread or flow run will have. It starts once all of `after`
    (threads, flow runs, entries) have completed. `spec_ref` names the journal's text with its
    ThreadInput or FlowInput as JSON. `series` names what several entries come from, like a schedule.
    `issue` is the issue of a tracker that it comes from.
    """

    entry_id: EntryId
    kind: EntryKind = EntryKind.THREAD
    title: str = Field(default="", max_length=_MAX_ID)
    project: str = Field(max_length=_MAX_PATH)
    host: str = Field(default="", max_length=_MAX_ID)
    priority: Priority = 3
    after: tuple[EntryId, ...] = Field(default=(), max_length=MAX_AFTER)
    spec_ref: str = Field(max_length=_MAX_ID)
    series: str = Field(default="", max_length=_MAX_ID)
    issue: IssueLink | None = Field(default=None, exclude_if=lambda issue: issue is None)


class QueueEntry(NewEntry):
    """An entry as it stands.

    `order` is its place among those of its priority. `reason` says why it is held or blocked, and how
    it ended. `is_refused` says that its start was refused, `is_anyway` that a person released it from
    its dependencies; `attempt` counts its starts. The times are the journal's: the queue goes by none.
    """

    state: EntryState = EntryState.WAITING
    reason: str = ""
    order: int = 0
    enqueued_at: datetime | None = None
    started_at: datetime | None = None
    by: str = ""
    is_refused: bool = False
    is_anyway: bool = False
    attempt: int = 0

    @property
    def is_completed(self) -> bool:
        """Whether it ended as those that wait for it want."""
        return self.state is EntryState.ENDED and self.reason == COMPLETED

    @property
    def goes_on(self) -> bool:
        """Whether it was taken out after its start, so that its thread or run goes on alone."""
        return self.state is EntryState.REMOVED and self.attempt > 0 and not self.is_refused


class QueueLimits(Wire):
    """How much may run when another entry is started; a limit never stops what already runs."""

    max_running: int = Field(default=4, ge=1, le=1_000)
    """Running threads and flow runs at which the queue starts no more."""
    per_project: int = Field(default=2, ge=1, le=1_000)
    """The same for one project."""
    per_host: int = Field(default=4, ge=1, le=1_000)
    """The same for one host."""
    max_reviews: int = Field(default=0, ge=0, le=10_000)
    """Threads and flow runs waiting for you at which the queue starts no more; 0 is no limit."""
