"""The registry of descriptions: each kind of event is described by one function, or is silent."""

from collections.abc import Callable
from typing import Any, TypeVar

from domain.core.event import EventBody
from domain.core.event_text import EventText

Body = TypeVar("Body", bound=EventBody)

DESCRIBED: dict[type[EventBody], Callable[[Any], EventText | str | None]] = {}
"""The function that describes the events of a class."""

SILENT: set[type[EventBody]] = set()
"""Events without a text: other events say the same, or nobody needs to read it."""


def describe(kind: type[Body], text: Callable[[Body], EventText | str | None]) -> None:
    """Register the text of a kind of event; a function returns None for one that says nothing.

    Raises:
        TypeError: The kind has a text already, or is silent.
    """
    if kind in DESCRIBED or kind in SILENT:
        raise TypeError(f"{kind.__qualname__} is described already")
    DESCRIBED[kind] = text


def describes(
    *kinds: type[Body],
) -> Callable[[Callable[[Body], EventText | str | None]], Callable[[Body], EventText | str | None]]:
    """Register the decorated function as the text of some kinds of events."""

    def register(
        text: Callable[[Body], EventText | str | None],
    ) -> Callable[[Body], EventText | str | None]:
        for kind in kinds:
            describe(kind, text)
        return text

    return register


def silence(*kinds: type[EventBody]) -> None:
    """Register kinds of events that have no text."""
    SILENT.update(kinds)


def text_of(body: EventBody) -> EventText | None:
    """Return an event in words, None for one that says nothing."""
    describe_event = DESCRIBED.get(type(body))
    text = describe_event(body) if describe_event else None
    if text is None:
        return None
    return (EventText(summary=text) if isinstance(text, str) else text).bounded()
