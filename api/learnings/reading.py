"""Learnings as doors show them."""

from datetime import UTC, datetime, timedelta

from adapters.journal import SqlJournal
from api.core.permissions import Permits
from api.learnings.bodies import LearningView
from domain.core.errors import NotFoundError
from domain.learnings.book import KeptLearning, LearningBook
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
    threads = {each.thread_id for book in books for one in book.every() for each in one.origins}
    there = await journal.learnings.there(threads)
    views = [_view(one, book, lifetime, there=there) for book in books for one in book.every()]
    return sorted(views, key=lambda view: view.touched_at, reverse=True)


def _view(
    one: KeptLearning, book: LearningBook, lifetime: timedelta, *, there: set[str]
) -> LearningView:
    origins = dict.fromkeys(each.thread_id for each in one.origins)
    return LearningView(
        **dict(one),
        repository=book.repository,
        standing=one.standing_at(datetime.now(UTC), lifetime),
        expires=one.expires_at(lifetime),
        gone=tuple(thread for thread in origins if thread not in there),
    )


async def known(journal: SqlJournal, repository: str, learning_id: str) -> KeptLearning:
    """Return a learning of a repository.

    Raises:
        NotFoundError: It has none of that id.
    """
    found = (await journal.learnings.of(repository)).get(learning_id)
    if found is None:
        raise NotFoundError(
            f"{repository[:200]!r} has no learning {learning_id[:40]!r}: `treadle learnings` lists them"
        )
    return found
