"""Threads in one line each, as lists show them."""

from collections.abc import Iterable

from domain.core.ids import ThreadId, thread_of
from domain.reading.listing import ThreadHeadline


class ThreadLine(ThreadHeadline):
    """A thread in one line."""

    thread_id: ThreadId


def lines_of(headlines: Iterable[ThreadHeadline]) -> list[ThreadLine]:
    """Return the lines of some threads."""
    return [ThreadLine(**dict(line), thread_id=thread_of(line.stream)) for line in headlines]
