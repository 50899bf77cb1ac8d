"""Threads in one line each, as lists show them."""

from collections.abc import Iterable

from domain.events import Headline
from domain.ids import ThreadId, thread_of


class ThreadLine(Headline):
    """A thread in one line."""

    thread_id: ThreadId


def lines_of(headlines: Iterable[Headline]) -> list[ThreadLine]:
    """Return the lines of some threads."""
    return [ThreadLine(**dict(line), thread_id=thread_of(line.stream)) for line in headlines]
