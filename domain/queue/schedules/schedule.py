"""A schedule: what it puts into the queue, when, and what where the last one is not over."""

import re
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Literal, Protocol

from pydantic import Field

from domain.core.errors import ConflictError, InvalidError
from domain.core.ids import flow_run_id, schedule_id, thread_id
from domain.core.wire import Wire
from domain.flows.inputs import FlowInput
from domain.queue.commands import EnqueueScheduled
from domain.queue.entry import EntryKind, NewEntry, Priority
from domain.threads.inputs import ThreadInput

CATCH_UP_HOURS = 1
"""How long after its time a run is still made up for that nothing was there to start."""

MAX_SCHEDULES = 200
_TIMEZONE = re.compile(r"[A-Z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_NO_ZONES = {"Local", "Factory"}
"""What looks like a zone and is whatever the server's machine is set to."""


class TimezoneError(InvalidError):
    """No such time zone."""

    type = "bad_timezone"


class ScheduleExistsError(ConflictError):
    """There is a schedule of that name; nothing is replaced."""

    type = "schedule_exists"


class Overlap(StrEnum):
    """What happens when a schedule comes due while its last entry waits or runs."""

    SKIP = "skip"
    QUEUE = "queue"


class ScheduledThread(Wire):
    """A thread to be, without its id."""

    kind: Literal[EntryKind.THREAD] = EntryKind.THREAD
    thread: ThreadInput

    @property
    def title(self) -> str:
        """The goal in one line."""
        return " ".join(self.thread.goal.split())

    @property
    def project(self) -> str:
        """The repository's folder."""
        return self.thread.repository

    def at(self, due: datetime) -> tuple[str, str]:
        """Return the thread's id and what it is opened with; of one time always the same."""
        name = thread_id(self.thread.goal, due.astimezone(UTC).strftime("%Y%m%d-%H%M%S"))
        return name, self.thread.model_copy(update={"thread_id": name}).model_dump_json()


class ScheduledFlow(Wire):
    """A run of a flow to be, without its number."""

    kind: Literal[EntryKind.FLOW] = EntryKind.FLOW
    flow: FlowInput

    @property
    def title(self) -> str:
        """The flow's name."""
        return self.flow.definition.name

    @property
    def project(self) -> str:
        """The repository's folder."""
        return self.flow.repository

    def at(self, due: datetime) -> tuple[str, str]:
        """Return the run's id and what it is opened with; of one time always the same."""
        run = flow_run_id(self.title, int(due.astimezone(UTC).strftime("%y%m%d%H%M%S")))
        return run, self.flow.model_copy(update={"run_id": run}).model_dump_json()


class ScheduledInput(Wire):
    """What the workflow of a schedule starts with, each time: the schedule as a person made it."""

    name: str
    cron: str
    timezone: str
    overlap: Overlap = Overlap.SKIP
    priority: Priority = 3
    work: Annotated[ScheduledThread | ScheduledFlow, Field(discriminator="kind")]
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


class DueCall(Wire):
    """A schedule that came due, and at which time."""

    start: ScheduledInput
    due: datetime


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
    overlap: Overlap
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
