"""The list of threads in SQL: searched, filtered and cut to a page by the database."""

from collections.abc import Collection

from sqlalchemy import ColumnElement, Select, or_, select

from adapters.journal.tables import HEADLINES, IS_ASKING, IS_THREAD
from domain.events import Headline
from domain.listing import ThreadQuery, comparable

_ASKABLE = ("running", "paused", "chat", "planning")
"""A thread of these waits as soon as one of its tasks or sessions asks something."""

OF_HEADLINE = [column for column in HEADLINES.c if column.name != "words"]

ASKING_TASKS = select(*OF_HEADLINE).where(IS_ASKING).order_by(HEADLINES.c.stream)
"""What tasks and sessions ask: a thread's own headline knows only of the thread."""


def words_of(headline: Headline) -> str:
    """Return what a headline is found by."""
    return comparable(f"{headline.stream} {headline.title} {headline.goal}")


def page_of_threads(query: ThreadQuery, asking: Collection[str]) -> Select[tuple[object, ...]]:
    """Return the select of one page of threads; `asking` are those whose tasks ask something."""
    found = select(*OF_HEADLINE).where(
        IS_THREAD,
        HEADLINES.c.is_archived == query.is_archived,
        HEADLINES.c.changed < query.before,
        *(HEADLINES.c.words.contains(term, autoescape=True) for term in query.terms),
    )
    if query.status is not None:
        found = found.where(_has_status(query.status, asking))
    if query.project is not None:
        found = found.where(is_of_project(query.project))
    newest_first = found.order_by(HEADLINES.c.changed.desc(), HEADLINES.c.stream)
    return newest_first.limit(query.limit)


def with_question(thread: Headline, question: Headline | None) -> Headline:
    """Return a thread's headline with what one of its tasks or sessions asks."""
    if question is None:
        return thread
    status = "waiting" if thread.status in _ASKABLE else thread.status
    asked = thread.waiting_for or f"{question.title}: {question.waiting_for}"
    return thread.model_copy(update={"status": status, "waiting_for": asked})


def _has_status(status: str, asking: Collection[str]) -> ColumnElement[bool]:
    itself = HEADLINES.c.status == status
    if status in _ASKABLE:
        return itself & HEADLINES.c.stream.not_in(asking)
    if status == "waiting":
        return or_(itself, HEADLINES.c.status.in_(_ASKABLE) & HEADLINES.c.stream.in_(asking))
    return itself


def is_of_project(project: str) -> ColumnElement[bool]:
    """Return the condition for headlines of a repository: its folder, or its last name."""
    folder = HEADLINES.c.project
    if "/" in project:
        return folder == project
    return or_(folder == project, folder.endswith(f"/{project}", autoescape=True))
