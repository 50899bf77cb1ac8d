"""Learnings of one repository, made up for tests."""

from datetime import UTC, datetime, timedelta

from domain.core.event import Event, EventBody
from domain.core.ids import EventId, StreamId, TaskId, ThreadId
from domain.learnings.book import KeptLearning, LearningBook
from domain.learnings.events import LearningKept, Origin
from domain.learnings.identity import learning_id, learnings_stream
from domain.tasks.learnings import LearningEvidence, LearningKind

REPOSITORY = "/home/ann/shop"
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def origin(
    thread: str = "thread-a", task: str = "t-1", at: datetime = BEGAN, **of: object
) -> Origin:
    evidence = LearningEvidence.model_validate({"title": "", **of})
    return Origin(thread_id=ThreadId(thread), task_id=TaskId(task), at=at, evidence=evidence)


def learned(text: str, *, used: int = 0, at: datetime = BEGAN, **of: object) -> KeptLearning:
    return KeptLearning(
        learning_id=learning_id(text),
        text=text,
        learning=LearningKind.NEXT,
        origins=(origin(at=at, **of),),
        touched_at=at,
        used=used,
    )


def kept(text: str, where: Origin | None = None) -> LearningKept:
    return LearningKept(
        learning_id=learning_id(text),
        project=REPOSITORY,
        learning=LearningKind.NEXT,
        text=text,
        origin=where or origin(),
    )


class Diary:
    """A book with the events that made it, a day apart."""

    def __init__(self) -> None:
        self.book = LearningBook(REPOSITORY)
        self.day = 0

    @property
    def now(self) -> datetime:
        return BEGAN + self.day * DAY

    def note(self, *bodies: EventBody, days: int = 0) -> None:
        self.day += days
        for body in bodies:
            name = EventId(f"e-{self.day}-{body.kind}")
            stream: StreamId = learnings_stream(REPOSITORY)
            self.book.add(Event(id=name, stream=stream, at=self.now, body=body))
