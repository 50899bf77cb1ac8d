"""Server-sent events: what a message is, and where a stream goes on after it broke."""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

import httpx
from httpx_sse import ServerSentEvent
from pydantic import ValidationError

from treadle_client.calls import Call
from treadle_client.errors import UnreadableAnswerError
from treadle_client.models import JournaledEvent

SILENCE_SECONDS = 45.0
"""The API sends a ping every 15 s at least; three missing ones mean that it is gone."""

TIMEOUT = httpx.Timeout(10, read=SILENCE_SECONDS)
_JOURNAL = "journal"

Item = TypeVar("Item")


class Message(NamedTuple):
    """A message of the stream of topics: a `journal` one has an event, others say what changed."""

    name: str
    position: int
    data: Mapping[str, Any]

    @property
    def event(self) -> JournaledEvent | None:
        """The event of a `journal` message."""
        return JournaledEvent.model_validate(self.data) if self.name == _JOURNAL else None


class Cursor:
    """The place of a reader in a stream: what comes is new, and a new connection begins after it."""

    def __init__(self, call: Call) -> None:
        self._after = int(call.query.get("after", 0))

    @property
    def headers(self) -> dict[str, str]:
        """What a connection sends to go on from here."""
        return {"Accept": "text/event-stream", "Last-Event-ID": str(self._after)}

    def read(self, kind: type[Item], sent: ServerSentEvent) -> Item | None:
        """Return the item of a message; None for a ping, and for an event that was there before.

        Raises:
            UnreadableAnswerError: It is not what this version of the client knows.
        """
        if not sent.data:
            return None
        position = int(sent.id) if sent.id.isdecimal() else self._after
        is_event = kind is JournaledEvent or sent.event == _JOURNAL
        if is_event and position <= self._after:
            return None
        item = _item(kind, sent, position)
        self._after = position
        return item


def ended() -> httpx.ReadError:
    """Return what a stream's end is for its reader; a new one each time, as it keeps the frames it was raised in."""
    return httpx.ReadError("the stream ended")


def _item(kind: type[Item], sent: ServerSentEvent, position: int) -> Item:
    found: Any
    try:
        if kind is JournaledEvent:
            found = JournaledEvent.model_validate_json(sent.data)
        else:
            found = Message(sent.event, position, json.loads(sent.data))
    except (ValidationError, ValueError) as error:
        raise UnreadableAnswerError(f"message {position} of the stream: {error}") from error
    return found
