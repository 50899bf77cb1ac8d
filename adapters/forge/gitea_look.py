"""Looks at a pull request of Gitea or Forgejo, whose API has no validators: answers are compared."""

from urllib.parse import quote

from pydantic import TypeAdapter

from adapters.forge.gitea_shapes import (
    Branch,
    Event,
    Placed,
    Pull,
    ReviewShape,
    Statuses,
    said,
    threads_of,
)
from adapters.forge.github_shapes import Comment, account_of
from adapters.forge.http import Session
from adapters.forge.looks import Paging, Reader, bounded, look_with
from domain.forges.errors import ForgeGoneError
from domain.forges.pull_requests import (
    Check,
    Look,
    Mergeability,
    PullRequestState,
    PullRequestView,
    ReviewThread,
)

PAGING = Paging("limit", 50)
"""The largest page of Gitea's default configuration."""
_PULL, _STATUSES = TypeAdapter(Pull), TypeAdapter(Statuses)
_REVIEWS, _COMMENTS = TypeAdapter(list[ReviewShape]), TypeAdapter(list[Comment])
_PLACED, _EVENTS = TypeAdapter(list[Placed]), TypeAdapter(list[Event])
_BRANCH = TypeAdapter(Branch)
_SCHEDULED, _CANCELLED = "pull_scheduled_merge", "pull_cancel_scheduled_merge"


class GiteaLook:
    """One look; `root` is the project's path in the API."""

    def __init__(self, session: Session, root: str, number: int, about: str) -> None:
        self._session = session
        self._root = root
        self._number = number
        self._about = about
        self._seen: frozenset[str] = frozenset()

    async def look(self, tags: dict[str, str]) -> Look:
        """Return what changed since the look that gave `tags`."""
        self._seen = frozenset(tags)
        return await look_with(self._session, tags, self._probe, self._read)

    async def _probe(self, path: str, tag: str) -> str:
        return (await self._session.ask("GET", path, about=self._about, tag=tag)).tag

    async def _read(self) -> tuple[PullRequestView, dict[str, str]]:
        reader = Reader(self._session, self._about, PAGING)
        path = f"{self._root}/pulls/{self._number}"
        pull = await reader.one(path, _PULL)
        at = f"{self._root}/commits/{pull.head.sha}/status"
        statuses = await reader.every(at, _STATUSES, lambda page: list(page.statuses or ()))
        reviews: list[ReviewShape] = await reader.every(f"{path}/reviews", _REVIEWS, list)
        issue = f"{self._root}/issues/{self._number}"
        comments = await reader.one(f"{issue}/comments", _COMMENTS)  # Gitea has them on one page
        events = await reader.every(f"{issue}/timeline", _EVENTS, list)
        checks = tuple(each.check(pull.html_url) for each in statuses)
        found = (each.review for each in reviews)
        view = PullRequestView(
            number=pull.number,
            url=pull.html_url,
            state=pull.where,
            title=bounded(pull.title),
            author=account_of(pull.user),
            head=pull.head.ref,
            head_commit=pull.head.sha,
            base=pull.base.ref,
            base_commit=pull.base.sha,
            merge_commit=(pull.merge_commit_sha or "") if pull.merged else "",
            is_draft=pull.draft,
            is_locked=pull.is_locked,
            will_merge_itself=_is_scheduled(events),
            mergeability=await self._mergeability(reader, pull, reviews, checks),
            checks=checks,
            reviews=tuple(each for each in found if each is not None),
            threads=(*await self._threads(reader, reviews), *map(_whole, comments)),
        )
        return view, reader.tags

    async def _mergeability(
        self, reader: Reader, pull: Pull, reviews: list[ReviewShape], checks: tuple[Check, ...]
    ) -> Mergeability:
        """Return what the answers come to; conflicts are believed when two looks have seen them."""
        if pull.where is not PullRequestState.OPEN:
            return Mergeability.UNKNOWN
        if pull.draft:
            return Mergeability.BLOCKED
        if pull.is_in_doubt:
            return self._conflicts(reader, pull)
        path = f"{self._root}/branches/{quote(pull.base.ref, safe='')}"
        try:
            branch = await reader.one(path, _BRANCH)
        except ForgeGoneError:
            return Mergeability.BLOCKED  # what it would be merged into is gone
        is_waiting = branch.is_waiting(reviews, list(checks))
        return Mergeability.BLOCKED if is_waiting else Mergeability.CLEAN

    def _conflicts(self, reader: Reader, pull: Pull) -> Mergeability:
        """Return conflicts where the look before saw them between the same commits too.

        A place among the validators says so; without a validator there, the next look reads all again.
        """
        path = f"{self._root}/pulls/{self._number}"
        place = f"{path}#conflicts-{pull.head.sha}-{pull.base.sha}"
        is_seen = place in self._seen
        reader.tags[place] = reader.tags[path] if is_seen else ""
        return Mergeability.CONFLICTS if is_seen else Mergeability.UNKNOWN

    async def _threads(
        self, reader: Reader, reviews: list[ReviewShape]
    ) -> tuple[ReviewThread, ...]:
        placed: list[Placed] = []
        for review in reviews:
            if review.comments_count:
                path = f"{self._root}/pulls/{self._number}/reviews/{review.id}/comments"
                placed += await reader.one(path, _PLACED)
        return threads_of(placed)


def _is_scheduled(events: list[Event]) -> bool:
    marks = [each.type for each in events if each.type in {_SCHEDULED, _CANCELLED}]
    return bool(marks) and marks[-1] == _SCHEDULED


def _whole(comment: Comment) -> ReviewThread:
    return ReviewThread(id=f"comment:{comment.key}", is_resolvable=False, comments=(said(comment),))
