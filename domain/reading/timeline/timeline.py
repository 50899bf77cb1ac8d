"""A thread by the clock, as doors show it."""

from datetime import datetime
from enum import StrEnum

from domain.core.event_text import Tone
from domain.core.ids import StreamId, TaskId
from domain.core.wire import Wire


class SpanStatus(StrEnum):
    """What a task does for a while; what it ends with is a mark."""

    PENDING = "pending"
    PLANNING = "planning"
    RUNNING = "running"
    VERIFYING = "verifying"
    WAITING = "waiting"
    MERGING = "merging"
    FAILED = "failed"
    BLOCKED = "blocked"


class Span(Wire):
    """A task did one thing from a time on; `position` is the event that it began with."""

    status: SpanStatus
    began_at: datetime
    ended_at: datetime | None = None
    position: int


class Moment(Wire):
    """An event that a person would go back to; `kind` is the milestone of its text."""

    position: int
    at: datetime
    stream: StreamId
    kind: str
    tone: Tone = Tone.INFO
    label: str


class Mark(Wire):
    """A moment of a task, on its line."""

    kind: str
    at: datetime
    position: int
    label: str


class TaskLine(Wire):
    """A task's line: what it did when, in order; a later run of it goes on in the same line."""

    task_id: TaskId
    title: str = ""
    spans: tuple[Span, ...] = ()
    marks: tuple[Mark, ...] = ()


class Timeline(Wire):
    """A thread by the clock: its tasks' lines, in plan order, and the newest moments of all."""

    position: int
    began_at: datetime
    ended_at: datetime | None = None
    tasks: tuple[TaskLine, ...] = ()
    moments: tuple[Moment, ...] = ()
