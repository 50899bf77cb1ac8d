"""A tracker whose answers may be anything: one that is not what is expected is a refusal in words.

Without it an activity would fail for a reason that nobody is told, again and again.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from domain.forges.errors import ForgeError
from domain.forges.issues import Issue, IssueComment, IssueId, IssuePage, IssueQuery
from domain.forges.ports import Tracker
from domain.forges.projects import Account

_ODD = (LookupError, TypeError, ValueError, AttributeError, httpx.InvalidURL)
"""What reading an answer of another shape raises, or asking at an address that is none."""


class Understood:
    """Implements `Tracker` by another one."""

    def __init__(self, tracker: Tracker) -> None:
        self._tracker = tracker

    async def changed_issues(
        self, query: IssueQuery, cursor: str, tags: dict[str, str]
    ) -> IssuePage:
        """Return the issues of a query that changed since `cursor`."""
        async with _understood():
            return await self._tracker.changed_issues(query, cursor, tags)

    async def issue(self, ref: IssueId) -> Issue:
        """Return an issue as it is now."""
        async with _understood():
            return await self._tracker.issue(ref)

    async def labelled_by(self, ref: IssueId, label: str) -> Account | None:
        """Return who set a label on an issue last."""
        async with _understood():
            return await self._tracker.labelled_by(ref, label)

    async def comments(self, ref: IssueId, after: str) -> tuple[IssueComment, ...]:
        """Return the comments behind the one with the id `after`."""
        async with _understood():
            return await self._tracker.comments(ref, after)

    async def comment(self, ref: IssueId, text: str, key: str) -> str:
        """Comment on an issue, once for each key."""
        async with _understood():
            return await self._tracker.comment(ref, text, key)

    async def close(self, ref: IssueId) -> None:
        """Close an issue as done."""
        async with _understood():
            await self._tracker.close(ref)


@asynccontextmanager
async def _understood() -> AsyncGenerator[None]:
    try:
        yield
    except _ODD as error:
        what = type(error).__name__  # its text may be of the answer, whatever that was
        raise ForgeError(
            f"the tracker's answer is not what is expected ({what}): is its address right?"
        ) from error
