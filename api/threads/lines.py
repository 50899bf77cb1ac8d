"""Threads as rows of a list."""

from collections.abc import Iterable, Sequence

from domain.core.ids import ThreadId, thread_of
from domain.reading.listing import ThreadHeadline


class ThreadLine(ThreadHeadline):
    """A thread in a list."""

    thread_id: ThreadId


def lines_of(headlines: Iterable[ThreadHeadline]) -> list[ThreadLine]:
    """Return threads as rows of a list."""
    return [ThreadLine(**dict(line), thread_id=thread_of(line.stream)) for line in headlines]


def page_of(found: Sequence[ThreadHeadline], limit: int) -> tuple[list[ThreadLine], int | None]:
    """Return a page of at most so many threads, and behind which position the next one begins.

    A page ends between positions: rows may be written at the same one, and the rest would be passed over.
    """
    page = lines_of(found[:limit])
    if len(found) <= limit:
        return page, None
    page = [line for line in page if line.changed > found[limit].changed] or page
    return page, page[-1].changed
