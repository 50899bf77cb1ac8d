"""Learnings as doors show them."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from adapters.journal import SqlJournal
from api.core.permissions import Permits
from api.learnings.bodies import LearningView
from domain.core.errors import NotFoundError
from domain.core.ids import ThreadId
from domain.core.status_words import COMPLETED, ENDED
from domain.learnings.book import KeptLearning, LearningBook, Standing
from domain.reading.listing import is_project


async def views_of(
    journal: SqlJournal, permits: Permits, project: str | None, lifetime: timedelta
) -> list[LearningView]:
    """Return the learnings of a repository, or of all that the caller may read."""
    books = [
        book
        for book in await journal.learnings.every()
        if permits.sees(book.repository)
        and (project is None or is_project(book.repository, project))
    ]
    threads = {thread for book in books for one in book.every() for thread in _threads_of(one)}
    there = await journal.learnings.statuses(threads)
    views = [_view(one, book, lifetime, there=there) for book in books for one in book.every()]
    return sorted(views, key=lambda view: view.touched_at, reverse=True)


def _threads_of(one: KeptLearning) -> list[ThreadId]:
    return [*(each.thread_id for each in one.origins), *filter(None, (one.promotion,))]


def _view(
    one: KeptLearning, book: LearningBook, lifetime: timedelta, *, there: Mapping[str, str]
) -> LearningView:
    """Return a learning as it is shown; one whose promotion ended without a merge is as it was before."""
    origins = dict.fromkeys(each.thread_id for each in one.origins)
    standing = one.standing_at(datetime.now(UTC), lifetime)
    if standing is Standing.PROMOTING and not is_proposed(one, there):
        standing = Standing.PINNED if one.is_decided else Standing.LIVE
    return LearningView(
        **dict(one),
        repository=book.repository,
        standing=standing,
        expires=one.expires_at(lifetime),
        gone=tuple(thread for thread in origins if thread not in there),
    )


def is_proposed(one: KeptLearning, there: Mapping[str, str]) -> bool:
    """Tell whether a thread that has not ended, of those that are there, proposes it for AGENTS.md."""
    return bool(one.promotion) and there.get(one.promotion, COMPLETED) not in ENDED


async def known(journal: SqlJournal, repository: str, learning_id: str) -> KeptLearning:
    """Return a learning of a repository.

    Raises:
        NotFoundError: It has none of that id.
    """
    return known_in(await journal.learnings.of(repository), repository, learning_id)


def known_in(book: LearningBook, repository: str, learning_id: str) -> KeptLearning:
    """Return a learning of a repository, of all that it has.

    Raises:
        NotFoundError: It has none of that id.
    """
    found = book.get(learning_id)
    if found is None:
        raise NotFoundError(
            f"{repository[:200]!r} has no learning {learning_id[:40]!r}: `treadle learnings` lists them"
        )
    return found
