"""What is journaled of a workflow that somebody terminated, or that failed by itself: nobody else can say it."""

from collections.abc import Iterable
from datetime import datetime

from domain.conversations.events import ConversationClosed
from domain.core.event import Event, EventBody, Headline
from domain.core.ids import EventId
from domain.core.lifecycle.events import ThreadArchived, ThreadRenamed, ThreadUnarchived
from domain.core.notices import WorkflowTerminated
from domain.tasks.events import TaskEnd, TaskEnded

TERMINATED = "terminated"
_OVER = {"thread": {TERMINATED}, "flow": {TERMINATED}, "task": {*TaskEnd}, "session": {"closed"}}
"""The status that is left as it is, by kind."""


def ending_of(
    headline: Headline, run_id: str, reason: str, at: datetime
) -> tuple[Event, Headline] | None:
    """Return the last event of a stream and its last headline; None where it has ended already.

    The id is that of the run that ended, so it is journaled once.
    """
    over = _OVER.get(headline.kind)
    if over is None or headline.status in over:
        return None
    status, body = _end(headline.kind, reason)
    stream = headline.stream
    event = Event(id=EventId(f"{stream}:{TERMINATED}:{run_id}"), stream=stream, at=at, body=body)
    return event, headline.model_copy(update={"status": status, "waiting_for": ""})


def headline_after(headline: Headline, events: Iterable[EventBody]) -> Headline:
    """Return the headline of what has ended after it was renamed or archived."""
    changes: dict[str, object] = {}
    for event in events:
        match event:
            case ThreadRenamed(topic=topic):
                changes["title"] = topic
            case ThreadArchived() | ThreadUnarchived():
                changes["is_archived"] = isinstance(event, ThreadArchived)
            case _:
                pass
    return headline.model_copy(update=changes)


def _end(kind: str, reason: str) -> tuple[str, EventBody]:
    if kind == "task":
        return TaskEnd.CANCELLED, TaskEnded(end=TaskEnd.CANCELLED, reason=reason)
    if kind == "session":
        return "closed", ConversationClosed(reason=reason)
    return TERMINATED, WorkflowTerminated(reason=reason)
