"""The typed events of every stream: what happened, once, in order.

A stream is a thread, a task or a session; its id is a workflow id. The same events are the
transcript that people read and the input of `evolve`. `Event` is the envelope: its id is derived by
the producer (workflow id and counter, or turn id, attempt and counter), so appending twice is the
same as once.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field, TypeAdapter

from domain.events import (
    agents,
    amending,
    child_threads,
    conflicts,
    damage,
    decisions,
    flows,
    keeping,
    landing,
    plan_files,
    planning,
    publishing,
    questions,
    queue,
    reviews,
    running,
    session,
    sharing,
    task,
    task_plans,
    terminals,
    thread,
)
from domain.ids import EventId, StreamId
from domain.wire import Wire

EventBody = Annotated[
    thread.ThreadEvent
    | amending.AmendingEvent
    | child_threads.ChildEvent
    | decisions.DecisionEvent
    | planning.PlanningEvent
    | running.RunningEvent
    | conflicts.ConflictEvent
    | publishing.PublishingEvent
    | landing.LandingEvent
    | questions.QuestionEvent
    | queue.QueueEvent
    | keeping.KeepingEvent
    | plan_files.PlanFileEvent
    | sharing.SharingEvent
    | task.TaskEvent
    | task_plans.TaskPlanEvent
    | terminals.TerminalEvent
    | reviews.ReviewEvent
    | session.SessionEvent
    | agents.AgentCheckEvent
    | damage.DamageEvent
    | flows.FlowEvent,
    Field(discriminator="kind"),
]


class Event(Wire):
    """One event of one stream."""

    id: EventId
    stream: StreamId
    at: datetime
    body: EventBody


class JournaledEvent(Wire):
    """An event with its place in the journal; `position` is the cursor of every reader."""

    position: int
    event: Event


class Headline(Wire):
    """A stream in one line for lists, written with its events; the newest wins.

    `title` is what a thread is called, `goal` what it was opened for; `done` of `total` are a
    thread's tasks, `insertions` and `deletions` the lines that they changed. The journal itself sets
    `changed`, the position of the newest event it was written with, and `changed_at`, that event's
    time.
    """

    stream: StreamId
    kind: str
    title: str = ""
    project: str = ""
    status: str = ""
    waiting_for: str = ""
    goal: str = ""
    is_archived: bool = False
    done: int = 0
    total: int = 0
    insertions: int = 0
    deletions: int = 0
    changed: int = 0
    changed_at: datetime | None = None


EVENT: TypeAdapter[Event] = TypeAdapter(Event)
