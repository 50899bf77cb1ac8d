"""Looks at a pull request of GitHub."""

from pydantic import TypeAdapter

from adapters.forge.github_graph import Graph
from adapters.forge.github_shapes import Comment, Pull, ReviewShape, Runs, Statuses, account_of
from adapters.forge.http import Session
from adapters.forge.looks import Paging, Reader, bounded, look_with
from domain.forges.pull_requests import (
    Check,
    Look,
    PullRequestId,
    PullRequestReview,
    PullRequestView,
    ReviewComment,
    ReviewThread,
)

THREADS = "graphql"
_PULL, _RUNS, _STATUSES = TypeAdapter(Pull), TypeAdapter(Runs), TypeAdapter(Statuses)
_REVIEWS, _COMMENTS = TypeAdapter(list[ReviewShape]), TypeAdapter(list[Comment])


class GitHubLook:
    """One look; `root` is the project's path in the API."""

    def __init__(self, session: Session, graph: Graph, of: PullRequestId, root: str) -> None:
        self._session = session
        self._graph = graph
        self._of = of
        self._root = root
        self._about = f"{of.project.path}#{of.number}"

    async def look(self, tags: dict[str, str]) -> Look:
        """Return what changed since the look that gave `tags`."""
        return await look_with(self._session, tags, self._probe, self._read)

    async def _probe(self, path: str, tag: str) -> str:
        if path == THREADS:
            return (await self._graph.threads(self._of, self._about))[2]
        return (await self._session.ask("GET", path, about=self._about, tag=tag)).tag

    async def _read(self) -> tuple[PullRequestView, dict[str, str]]:
        reader = Reader(self._session, self._about, Paging())
        number = self._of.number
        pull = await reader.one(f"{self._root}/pulls/{number}", _PULL)
        checks = await self._checks(reader, pull.head.sha)
        reviews = await reader.every(f"{self._root}/pulls/{number}/reviews", _REVIEWS, list)
        comments = await reader.every(f"{self._root}/issues/{number}/comments", _COMMENTS, list)
        threads, is_queued, digest = await self._graph.threads(self._of, self._about)
        reader.tags[THREADS] = digest
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
            is_locked=pull.locked,
            will_merge_itself=pull.auto_merge is not None or is_queued,
            mergeability=pull.mergeability,
            checks=checks,
            reviews=_reviews(reviews),
            threads=(*(each.thread for each in threads), *map(_thread, comments)),
        )
        return view, reader.tags

    async def _checks(self, reader: Reader, commit: str) -> tuple[Check, ...]:
        at = f"{self._root}/commits/{commit}"
        runs = await reader.every(f"{at}/check-runs", _RUNS, lambda page: list(page.check_runs))
        statuses = await reader.every(f"{at}/status", _STATUSES, lambda page: list(page.statuses))
        return tuple(each.check for each in (*runs, *statuses))


def _reviews(listed: list[ReviewShape]) -> tuple[PullRequestReview, ...]:
    found = (each.review(bounded(each.body)) for each in listed)
    return tuple(each for each in found if each is not None)


def _thread(comment: Comment) -> ReviewThread:
    said = ReviewComment(
        id=comment.key,
        author=account_of(comment.user),
        body=bounded(comment.body),
        url=comment.html_url,
        created_at=comment.created_at,
        edited_at=comment.edited_at,
    )
    return ReviewThread(id=f"comment:{comment.key}", is_resolvable=False, comments=(said,))
