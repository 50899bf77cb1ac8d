"""The text of an event from its JSON, as the API sends it along; most events are sent unread."""

from domain.core.event import EventBody
from domain.reading.event_kinds import BODY
from domain.reading.event_text.registry import DESCRIBED, text_of


def serialized_text(kind: str, body: str) -> str | None:
    """Return an event's text as JSON; None for an event that this version cannot read.

    One that says nothing has the text `null`.
    """
    known = EventBody.KINDS.get(kind)
    if known is None:
        return None
    if known not in DESCRIBED:  # most events: what an agent sends, piece by piece
        return "null"
    try:
        text = text_of(BODY.validate_json(body))
    except ValueError:
        return None
    return "null" if text is None else text.model_dump_json()
