"""Rows of the journal's tables to and from the domain's models."""

from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import Row

from domain.events import Event, EventBody, Headline, JournaledEvent

_BODY: TypeAdapter[EventBody] = TypeAdapter(EventBody)


def event_row(event: Event) -> dict[str, Any]:
    """Return an event as a row without its position."""
    return {
        "id": event.id,
        "stream": event.stream,
        "at": event.at.isoformat(),
        "kind": event.body.kind,
        "body": event.body.model_dump_json(),
    }


def event_of(row: Row[Any]) -> Event:
    """Return the event of a row."""
    return Event(id=row.id, stream=row.stream, at=row.at, body=body_of(row.body))


def body_of(body: str) -> EventBody:
    """Return what an event tells, alone."""
    return _BODY.validate_json(body)


def journaled_event_of(row: Row[Any]) -> JournaledEvent:
    """Return the event of a row with its position."""
    return JournaledEvent(position=row.position, event=event_of(row))


def headline_of(row: Row[Any]) -> Headline:
    """Return the headline of a row."""
    return Headline.model_validate(row, from_attributes=True)
