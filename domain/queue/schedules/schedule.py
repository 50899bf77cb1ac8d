"""A schedule: what it puts into the queue, when, and what where the last one is not over."""

import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import Protocol

from pydantic import Field, JsonValue
from pydantic_core import to_json

from domain.core.errors import ConflictError, InvalidError
from domain.core.ids import flow_run_id, schedule_id, thread_id
from domain.core.summaries import Summarized
from domain.core.wire import Wire
from domain.queue.commands import EnqueueScheduled
from domain.queue.entry import EntryKind, NewEntry, Priority

CATCH_UP_HOURS = 1
"""How long after its time a run is still made up for that nothing was there to start."""

MAX_SCHEDULES = 200
_TIMEZONE = re.compile(r"[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_NO_ZONES = {"Local", "Factory"}
"""What looks like a zone and is whatever the server's machine is set to."""


class TimezoneError(InvalidError):
    """Unknown time zone."""

    type = "bad_timezone"


class ScheduleExistsError(ConflictError):
    """A schedule of that name exists; it was not replaced."""

    type = "schedule_exists"


class OverlapPolicy(StrEnum):
    """What happens when a schedule comes due while its last entry waits or runs."""

    SKIP = "skip"
    QUEUE = "queue"


class ScheduledWork(Wire):
    """A thread or a run of a flow to start, without its id.

    `start` is the `ThreadInput` or `FlowInput` that it starts with, as JSON: the queue keeps it closed.
    """

    kind: EntryKind
    title: str
    project: str
    start: dict[str, JsonValue]

    def at(self, due: datetime) -> tuple[str, str]:
        """Return the id and the JSON of what is started at a time; for one time always the same."""
        local = due.astimezone(UTC)
        if self.kind is EntryKind.THREAD:
            name = str(thread_id(self.title, local.strftime("%Y%m%d-%H%M%S")))
            return name, to_json({**self.start, "thread_id": name}).decode()
        name = str(flow_run_id(self.title, int(local.strftime("%y%m%d%H%M%S"))))
        return name, to_json({**self.start, "run_id": name}).decode()


def scheduled_work(kind: EntryKind, title: str, project: str, start: Wire) -> ScheduledWork:
    """Return what a schedule starts, from the input of its workflow."""
    return ScheduledWork(
        kind=kind,
        title=" ".join(title.split()),
        project=project,
        start=start.model_dump(mode="json"),
    )


class ScheduledInput(Wire):
    """What the workflow of a schedule starts with, each time: the schedule as a person made it."""

    name: str
    cron: str
    timezone: str
    overlap: OverlapPolicy = OverlapPolicy.SKIP
    priority: Priority = 3
    work: ScheduledWork
    host: str = ""
    by: str = ""
    made_at: datetime

    def entry(self, due: datetime, spec_ref: str) -> NewEntry:
        """Return what goes into the queue at one time."""
        return NewEntry(
            entry_id=self.work.at(due)[0],
            kind=self.work.kind,
            title=self.work.title[:300],
            project=self.work.project,
            host=self.host,
            priority=self.priority,
            spec_ref=spec_ref,
            series=schedule_id(self.name),
        )


class DueCall(Summarized):
    """A schedule that came due, and at which time."""

    start: ScheduledInput
    due: datetime

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"enqueue the work of the schedule {self.start.name}"


class ScheduledResult(Wire):
    """What came of a time: the id of the entry, if any, and in words."""

    entry_id: str = ""
    message: str = ""


class ScheduleView(Wire):
    """A schedule as people see it."""

    name: str
    kind: EntryKind
    title: str
    project: str
    cron: str
    timezone: str
    overlap: OverlapPolicy
    priority: Priority = 3
    is_paused: bool = False
    note: str = ""
    next_at: tuple[datetime, ...] = ()
    last_at: datetime | None = None
    runs: int = Field(default=0, description="How often a time of it came; not by hand")
    missed: int = Field(default=0, description="Times that nothing was there to start it in time")
    last_result: str = Field(
        default="", description="What came of the last time, where it is known"
    )
    by: str = ""
    made_at: datetime | None = None


class Schedules(Protocol):
    """The schedules that there are, and where they lead."""

    async def current(self, name: str) -> ScheduledInput | None:
        """Return a schedule as it is now, None where there is none of ours."""
        ...

    async def enqueue(self, scheduled: EnqueueScheduled) -> None:
        """Tell the queue of an entry; an entry that it knows is passed over."""
        ...


def check_timezone(name: str) -> str:
    """Return a time zone's name; whether there is such a one, whoever keeps the time says.

    Raises:
        TimezoneError: None can be called that.
    """
    if not _TIMEZONE.fullmatch(name) or name in _NO_ZONES:
        raise TimezoneError(no_timezone(name))
    return name


def no_timezone(name: str) -> str:
    """Say that there is no such time zone."""
    return f"there is no time zone {name[:80]!r}: use one like Europe/Berlin or UTC"
