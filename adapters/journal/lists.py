"""The list of threads in SQL: searched, filtered and cut to a page by the database."""

from collections.abc import Callable, Collection
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, not_, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.charges import CHARGES, spent_by
from adapters.journal.origins import origins_of
from adapters.journal.rows import headline_of
from adapters.journal.tables import EVENTS, HEADLINES, IS_ASKING, IS_THREAD, IS_WORKING
from domain.core.event import Headline
from domain.core.ids import thread_of
from domain.core.money import Money
from domain.core.status_words import (
    ASKABLE,
    FAILED,
    UNPLANNED,
    WAITING,
    asking_status,
    shown_status,
)
from domain.reading.listing import ThreadHeadline, ThreadQuery, comparable

H = TypeVar("H", bound=Headline)

OF_HEADLINE = [column for column in HEADLINES.c if column.name != "words"]

ASKING_TASKS = select(*OF_HEADLINE).where(IS_ASKING).order_by(HEADLINES.c.stream)
"""What tasks and sessions ask: a thread's own headline knows only of the thread."""

AT_WORK = select(HEADLINES.c.stream).where(IS_WORKING)


_OPENED_AT = select(EVENTS.c.at).where(EVENTS.c.stream == HEADLINES.c.stream)
OF_THREAD = [
    *OF_HEADLINE,
    _OPENED_AT.order_by(EVENTS.c.position).limit(1).scalar_subquery().label("opened_at"),
]


async def thread_lines(
    connection: AsyncConnection, found: Callable[[Collection[str]], Select[Any]]
) -> list[ThreadHeadline]:
    """Return threads as a list shows them; `found` selects them, told which ask something."""
    asking = [headline_of(row) for row in await connection.execute(ASKING_TASKS)]
    questions = {str(thread_of(line.stream)): line for line in reversed(asking)}
    working = {thread_of(name) for name in await connection.scalars(AT_WORK)}
    rows = (await connection.execute(found(questions))).all()
    found_lines = (ThreadHeadline.model_validate(row, from_attributes=True) for row in rows)
    lines = [with_question(line, questions.get(line.stream)) for line in found_lines]
    names = [str(line.stream) for line in lines]
    origins = await origins_of(connection, names)
    money = await connection.run_sync(lambda at: spent_by(at, CHARGES.c.thread, names))
    return [
        line.model_copy(
            update={
                "is_working": line.stream in working,
                "shown_status": shown_status(line.status, line.waiting_for),
                **origins.get(line.stream, {}),
                "money": money.get(line.stream, Money()),
            }
        )
        for line in lines
    ]


def threads_named(streams: Collection[str]) -> Select[Any]:
    """Return the select of some threads, archived ones too."""
    return select(*OF_THREAD).where(IS_THREAD, HEADLINES.c.stream.in_(streams))


def words_of(headline: Headline) -> str:
    """Return what a headline is found by."""
    return comparable(f"{headline.stream} {headline.title} {headline.goal}")


def page_of_threads(query: ThreadQuery, asking: Collection[str]) -> Select[Any]:
    """Return the select of one page of threads; `asking` are those whose tasks ask something."""
    found = select(*OF_THREAD).where(
        IS_THREAD,
        HEADLINES.c.is_archived == query.is_archived,
        HEADLINES.c.changed < query.before,
        *(HEADLINES.c.words.contains(term, autoescape=True) for term in query.terms),
    )
    if query.status is not None:
        found = found.where(_has_status(query.status, asking))
    if query.project is not None:
        found = found.where(is_of_project(query.project))
    if query.projects is not None:
        found = found.where(HEADLINES.c.project.in_(query.projects))
    newest_first = found.order_by(HEADLINES.c.changed.desc(), HEADLINES.c.stream)
    return newest_first.limit(query.limit)


def with_question(thread: H, question: Headline | None) -> H:
    """Return a thread's headline with what one of its tasks or sessions asks."""
    asked = thread.waiting_for
    if question is not None and not asked:
        who = f"{question.title}: " if question.kind == "task" else ""
        asked = f"{who}{question.waiting_for}"
    status = asking_status(thread.status, asks=asked != "")
    return thread.model_copy(update={"status": status, "waiting_for": asked})


def _has_status(status: str, asking: Collection[str]) -> ColumnElement[bool]:
    """Return the condition for headlines that are shown with a status."""
    itself = HEADLINES.c.status == status
    is_unplanned = HEADLINES.c.waiting_for.startswith(UNPLANNED, autoescape=True)
    asks = or_(HEADLINES.c.waiting_for != "", HEADLINES.c.stream.in_(asking))
    if status in ASKABLE:
        return itself & not_(asks)
    if status == WAITING:
        is_failed = HEADLINES.c.status == FAILED
        return or_(itself, HEADLINES.c.status.in_(ASKABLE) & asks, is_failed & is_unplanned)
    if status == FAILED:
        return itself & not_(is_unplanned)
    return itself


def is_of_project(project: str) -> ColumnElement[bool]:
    """Return the condition for headlines of a repository: its folder, or its last name."""
    folder = HEADLINES.c.project
    if "/" in project:
        return folder == project
    return or_(folder == project, folder.endswith(f"/{project}", autoescape=True))
