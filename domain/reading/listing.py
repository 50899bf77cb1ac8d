"""Which threads a list shows: the question, and how a thread's words are compared with it."""

import unicodedata
from datetime import datetime

from pydantic import computed_field

from domain.core.event import Headline
from domain.core.money import Money
from domain.core.wire import Wire
from domain.forges.issues import IssueLink
from domain.reading.board import Column, column_of

PAGE = 100
NEWEST = 2**53 - 1
"""A cursor in front of every thread."""


class ThreadQuery(Wire):
    """One page of a list of threads, the latest changed first.

    `words` are looked for in ids, titles and goals, each on its own. `project` is a repository's
    folder, or only its last name. `before` is the `changed` of the page's predecessor.
    """

    words: str = ""
    status: str | None = None
    project: str | None = None
    is_archived: bool = False
    before: int = NEWEST
    limit: int = PAGE
    projects: tuple[str, ...] | None = None
    """The repositories that whoever asks may read; None for all."""

    @property
    def terms(self) -> list[str]:
        """The words as they are compared."""
        return comparable(self.words).split()


class ThreadHeadline(Headline):
    """A thread in one line, with when it was opened and whether one of its agents works now.

    `shown_status` is `waiting` also where planning ended without a plan, which a person starts again.
    """

    opened_at: datetime | None = None
    is_working: bool = False
    shown_status: str = ""
    last_line: str = ""
    """What its agents did last, while one works."""
    issue: IssueLink | None = None
    """The issue that its work comes from."""
    opened_by: str = ""
    """The program that opened it, and for whom; empty where a person did."""
    money: Money = Money()
    """What its turns cost that have ended."""

    @computed_field
    @property
    def column(self) -> Column:
        """The column of the board that it is in."""
        return column_of(
            self.status,
            asks=self.waiting_for != "",
            is_working=self.is_working,
            branch=self.branch_status,
            has_changes=self.insertions + self.deletions > 0,
        )


def is_project(folder: str, wanted: str) -> bool:
    """Tell whether a repository is the one that is meant: by its folder, or by its last name."""
    return folder == wanted or ("/" not in wanted and folder.endswith(f"/{wanted}"))


class FlowRunQuery(Wire):
    """Which runs of flows a list shows."""

    words: str = ""
    status: str | None = None
    project: str | None = None
    flow: str | None = None
    is_archived: bool = False
    before: int = NEWEST
    projects: tuple[str, ...] | None = None

    def shows(self, run: Headline) -> bool:
        """Tell whether a run is among those that are asked for."""
        text = comparable(f"{run.stream} {run.title}")
        flow = run.stream.removeprefix("flow-").rpartition("-")[0]
        return (
            run.is_archived is self.is_archived
            and run.changed < self.before
            and self.status in {None, run.status}
            and self.flow in {None, flow}
            and self.project in {None, run.project, run.project.rpartition("/")[2]}
            and (self.projects is None or run.project in self.projects)
            and all(word in text for word in comparable(self.words).split())
        )


def comparable(text: str) -> str:
    """Return a text as searches compare it: case and ways of writing a letter make no difference."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
