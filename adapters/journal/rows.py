"""Rows of the journal's tables to and from the domain's models; what is damaged has a stand-in.

The checksum is CRC-32 of id, stream, time, kind and body as they are stored. It finds what a disk or a
slip changed; it is no seal against somebody who may write to the file.
"""

import zlib
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pydantic import ValidationError
from sqlalchemy import Row

from domain.core.damage_events import EventDamaged
from domain.core.event import Event, Headline, JournaledEvent
from domain.core.ids import EventId, StreamId
from domain.reading.event_kinds import BODY

_SUMMED = ("id", "stream", "at", "kind", "body")
CHANGED = "it is not what was written"
UNREADABLE = "it cannot be read"


class StoredEvent(NamedTuple):
    """A row of the events that was not read by SQLAlchemy."""

    position: int
    id: Any
    stream: Any
    at: Any
    kind: Any
    body: Any
    checksum: int | None


def event_row(event: Event) -> dict[str, Any]:
    """Return an event as a row without its position."""
    row = {
        "id": event.id,
        "stream": event.stream,
        "at": event.at.isoformat(),
        "kind": event.body.kind,
        "body": event.body.model_dump_json(),
    }
    return {**row, "checksum": _checksum(*row.values())}


def event_of(row: Row[Any] | StoredEvent) -> Event:
    """Return the event of a row, or the stand-in of one that is damaged."""
    if row.checksum is not None and row.checksum != _checksum(*(getattr(row, n) for n in _SUMMED)):
        return _stand_in(row, CHANGED)
    try:
        return Event(id=row.id, stream=row.stream, at=row.at, body=BODY.validate_json(row.body))
    except ValidationError:
        return _stand_in(row, UNREADABLE)


def damage_in(row: Row[Any] | StoredEvent) -> JournaledEvent | None:
    """Return the stand-in of a damaged event.

    Where the checksum is right, the body is as it was written, and is not looked at.
    """
    if row.checksum is not None and row.checksum == _checksum(*(getattr(row, n) for n in _SUMMED)):
        return None
    found = journaled_event_of(row)
    return found if isinstance(found.event.body, EventDamaged) else None


def journaled_event_of(row: Row[Any] | StoredEvent) -> JournaledEvent:
    """Return the event of a row with its position."""
    return JournaledEvent(position=row.position, event=event_of(row))


def headline_of(row: Row[Any]) -> Headline:
    """Return the headline of a row."""
    return Headline.model_validate(row, from_attributes=True)


def _stand_in(row: Row[Any] | StoredEvent, reason: str) -> Event:
    body = EventDamaged(position=row.position, was=_text(row.kind), reason=reason)
    stream = StreamId(_text(row.stream))
    return Event(id=EventId(_text(row.id)), stream=stream, at=_time(_text(row.at)), body=body)


def _checksum(*columns: object) -> int:
    return zlib.crc32("\0".join(map(_text, columns)).encode(errors="replace"))


def _time(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _text(stored: object) -> str:
    return stored.decode(errors="replace") if isinstance(stored, bytes) else str(stored)
