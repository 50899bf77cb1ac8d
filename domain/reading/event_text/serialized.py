"""The text of an event from its JSON, as the API sends it along; most events are sent unread."""

from domain.conversations.events import TurnEnded
from domain.core.event import EventBody
from domain.reading.event_kinds import BODY
from domain.reading.event_text.registry import DESCRIBED, text_of


def serialized_text(kind: str, body: str, stream: str) -> str | None:
    """Return an event's text as JSON; None for an event that this version cannot read.

    One that says nothing has the text `null`, and so has the end of a turn in a task's own stream: its
    session's has it as well.
    """
    known = EventBody.KINDS.get(kind)
    if known is None:
        return None
    if known not in DESCRIBED:  # most events: what an agent sends, piece by piece
        return "null"
    try:
        read = BODY.validate_json(body)
        is_twice = isinstance(read, TurnEnded) and read.session_id != stream
        text = None if is_twice else text_of(read)
    except ValueError:
        return None
    return "null" if text is None else text.model_dump_json()
