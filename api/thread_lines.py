"""Threads in one line each, as lists show them."""

from collections.abc import Iterable

from domain.ids import ThreadId, thread_of
from domain.listing import ThreadHeadline


class ThreadLine(ThreadHeadline):
    """A thread in one line."""

    thread_id: ThreadId


def lines_of(headlines: Iterable[ThreadHeadline]) -> list[ThreadLine]:
    """Return the lines of some threads."""
    return [ThreadLine(**dict(line), thread_id=thread_of(line.stream)) for line in headlines]
