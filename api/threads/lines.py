"""Threads as rows of a list."""

from collections.abc import Iterable

from domain.core.ids import ThreadId, thread_of
from domain.reading.listing import ThreadHeadline


class ThreadLine(ThreadHeadline):
    """A thread in a list."""

    thread_id: ThreadId


def lines_of(headlines: Iterable[ThreadHeadline]) -> list[ThreadLine]:
    """Return threads as rows of a list."""
    return [ThreadLine(**dict(line), thread_id=thread_of(line.stream)) for line in headlines]
