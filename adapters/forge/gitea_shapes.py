"""What Gitea and Forgejo answer where it differs from GitHub, and what it means here."""

import re
from datetime import datetime
from fnmatch import fnmatchcase
from urllib.parse import urljoin

from pydantic import BaseModel

from adapters.forge.github_shapes import MAX_SUMMARY, Comment, End, Opened, User, account_of
from adapters.forge.looks import bounded
from domain.forges.pull_requests import (
    Check,
    CheckState,
    PullRequestReview,
    PullRequestState,
    ReviewComment,
    ReviewState,
    ReviewThread,
)

_STATUSES = {
    "success": CheckState.PASSED,
    "warning": CheckState.PASSED,
    "pending": CheckState.PENDING,
    "skipped": CheckState.SKIPPED,
}
_REVIEWS = {
    "APPROVED": ReviewState.APPROVED,
    "REQUEST_CHANGES": ReviewState.CHANGES_REQUESTED,
    "COMMENT": ReviewState.COMMENTED,
}


_JOB = re.compile(r"/actions/runs/(\d+)/jobs/(\d+)$")


class Repo(BaseModel):
    """A repository."""

    full_name: str = ""


class Head(End):
    """The head of a pull request; a fork that is gone has no repository."""

    repo: Repo | None = None


class Pull(Opened):
    """A pull request; lists have it whole."""

    title: str = ""
    body: str | None = None
    state: str
    merged: bool = False
    mergeable: bool = False
    merge_commit_sha: str | None = None
    draft: bool = False
    is_locked: bool = False
    user: User | None = None
    head: Head
    base: End

    @property
    def where(self) -> PullRequestState:
        """Its state."""
        if self.merged:
            return PullRequestState.MERGED
        return PullRequestState.OPEN if self.state == "open" else PullRequestState.CLOSED

    @property
    def is_in_doubt(self) -> bool:
        """Tell whether it has conflicts or is still being looked at, which Gitea shows alike."""
        is_open = self.where is PullRequestState.OPEN
        return is_open and not self.draft and not self.mergeable


class Status(BaseModel):
    """A commit status."""

    id: int
    context: str
    status: str
    description: str | None = None
    target_url: str | None = None

    def check(self, page: str) -> Check:
        """Return the same, as all forges have it; links of Actions are relative, to the address of any `page`."""
        job = _JOB.search(self.target_url or "")
        return Check(
            id=f"job:{job[1]}/{job[2]}" if job else f"status:{self.id}",
            name=self.context,
            state=_STATUSES.get(self.status, CheckState.FAILED),
            url=urljoin(page, self.target_url) if self.target_url else "",
            summary=(self.description or "")[:MAX_SUMMARY],
            has_log=job is not None,
        )


class Statuses(BaseModel):
    """A page of the newest status of each context; Gitea has null where there are none."""

    statuses: list[Status] | None = None


class ReviewShape(BaseModel):
    """A review."""

    id: int
    user: User | None = None
    state: str
    body: str | None = None
    commit_id: str | None = None
    submitted_at: datetime | None = None
    dismissed: bool = False
    official: bool = False
    comments_count: int = 0

    @property
    def review(self) -> PullRequestReview | None:
        """The same, as all forges have it; None for one that is pending, asked for or dismissed."""
        state = None if self.dismissed else _REVIEWS.get(self.state)
        if state is None:
            return None
        return PullRequestReview(
            id=str(self.id),
            author=account_of(self.user),
            state=state,
            body=bounded(self.body),
            commit=self.commit_id or "",
            submitted_at=self.submitted_at,
        )


class Placed(Comment):
    """A comment on a line; `position` is the line of the new file, `original_position` of the old one."""

    path: str = ""
    position: int = 0
    original_position: int = 0
    resolver: User | None = None

    @property
    def place(self) -> tuple[str, int, int]:
        """Where it is: comments on one place are one thread."""
        return self.path, self.position, self.original_position


class Event(BaseModel):
    """A line of a pull request's timeline."""

    type: str = ""


class Branch(BaseModel):
    """A branch, with what its protection asks for as far as everybody may see it."""

    class Target(BaseModel):
        """What it is at."""

        id: str

    commit: Target
    protected: bool = False
    user_can_merge: bool = True
    required_approvals: int = 0
    enable_status_check: bool = False
    status_check_contexts: list[str] | None = None

    def is_waiting(self, reviews: list[ReviewShape], checks: list[Check]) -> bool:
        """Tell whether the protection keeps us from merging: a right, approvals or checks are missing."""
        if not self.protected:
            return False
        approvals = sum(
            each.official and not each.dismissed and each.state == "APPROVED" for each in reviews
        )
        passed = [each.name for each in checks if each.state is CheckState.PASSED]
        needed = (self.status_check_contexts or ()) if self.enable_status_check else ()
        is_missing = any(not any(fnmatchcase(n, asked) for n in passed) for asked in needed)
        return not self.user_can_merge or approvals < self.required_approvals or is_missing


class Job(BaseModel):
    """A job of a run; its address is what its status links to."""

    id: int
    html_url: str = ""

    @property
    def link(self) -> str:
        """Its run's id and its own, as a status links to them."""
        found = _JOB.search(self.html_url)
        return f"{found[1]}/{found[2]}" if found else ""


def said(comment: Comment) -> ReviewComment:
    """Return a comment as all forges have it."""
    return ReviewComment(
        id=comment.key,
        author=account_of(comment.user),
        body=bounded(comment.body),
        url=comment.html_url,
        created_at=comment.created_at,
        edited_at=comment.edited_at,
    )


def threads_of(placed: list[Placed]) -> tuple[ReviewThread, ...]:
    """Return the threads of comments on lines, each named by its first comment."""
    places: dict[tuple[str, int, int], list[Placed]] = {}
    for comment in sorted(placed, key=lambda each: each.id):
        places.setdefault(comment.place, []).append(comment)
    return tuple(
        ReviewThread(
            id=f"line:{comments[0].key}",
            path=path,
            line=new or old,
            is_resolved=any(each.resolver is not None for each in comments),
            comments=tuple(map(said, comments)),
        )
        for (path, new, old), comments in places.items()
    )
