"""What a repository's stream of learnings gets of the events of its threads, in the same transaction."""

from collections.abc import Iterator
from functools import singledispatch

from domain.core.event import Event, EventBody
from domain.core.ids import EventId, thread_of
from domain.core.secret_forms import without_secrets
from domain.learnings.events import (
    LearningCited,
    LearningKept,
    LearningsOffered,
    Origin,
    PromotionMerged,
    PromotionStarted,
)
from domain.learnings.identity import STREAMS, learning_id, learnings_stream, repository_of
from domain.tasks.learnings import LearningsUsed
from domain.threads.events import ThreadOpened
from domain.threads.running.events import LearningsAdded, LearningsPromoted


def is_noted(event: Event) -> bool:
    """Tell whether a repository's learnings get something of an event."""
    body = event.body
    if isinstance(body, ThreadOpened):
        return bool(body.promotes)
    return isinstance(body, _KINDS) and not event.stream.startswith(STREAMS)


def project_in(event: Event) -> str:
    """Return the repository that an event names itself; empty where its thread's is known."""
    return event.body.facts.root if isinstance(event.body, ThreadOpened) else ""


def noted(event: Event, project: str) -> list[Event]:
    """Return the events of the repository's learnings that an event of a thread brings.

    Their ids follow from its id, so journaling it again adds nothing.
    """
    repository = repository_of(project)
    stream = learnings_stream(repository)
    return [
        Event(id=EventId(f"{event.id}:learnings:{number}"), stream=stream, at=event.at, body=body)
        for number, body in enumerate(_noted(event.body, event, repository))
    ]


@singledispatch
def _noted(body: EventBody, event: Event, repository: str) -> Iterator[EventBody]:
    """Note nothing of other events."""
    del body, event, repository
    yield from ()


@_noted.register
def _note_added(body: LearningsAdded, event: Event, repository: str) -> Iterator[EventBody]:
    for learned in body.learnings:
        text = without_secrets(learned.text).strip()
        origin = Origin(
            thread_id=thread_of(event.stream),
            task_id=learned.task_id or body.task_id,
            run=learned.run,
            at=event.at,
            evidence=body.evidence,
        )
        if text:
            yield LearningKept(
                learning_id=learning_id(text),
                project=repository,
                learning=learned.learning,
                text=text,
                origin=origin,
            )


@_noted.register
def _note_offered(body: LearningsOffered, event: Event, repository: str) -> Iterator[EventBody]:
    del event, repository
    yield body


@_noted.register
def _note_used(body: LearningsUsed, event: Event, repository: str) -> Iterator[EventBody]:
    del repository
    thread = thread_of(event.stream)
    yield LearningCited(learning_ids=body.learning_ids, thread_id=thread, by=body.by)


@_noted.register
def _note_promoting(body: ThreadOpened, event: Event, repository: str) -> Iterator[EventBody]:
    del repository
    thread = thread_of(event.stream)
    yield PromotionStarted(learning_ids=body.promotes, thread_id=thread, by=body.opened_by)


@_noted.register
def _note_promoted(body: LearningsPromoted, event: Event, repository: str) -> Iterator[EventBody]:
    del repository
    yield PromotionMerged(
        learning_ids=body.learning_ids,
        thread_id=thread_of(event.stream),
        commit=body.commit,
        approved_by=body.approved_by,
    )


_KINDS = (LearningsAdded, LearningsOffered, LearningsUsed, LearningsPromoted)
