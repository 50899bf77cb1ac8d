"""What GitHub answers, as far as it is read, and what it means here."""

from datetime import datetime

from pydantic import BaseModel

from domain.forges.projects import Account
from domain.forges.pull_requests import (
    Check,
    CheckState,
    Mergeability,
    PullRequestReview,
    PullRequestState,
    ReviewState,
)

_ACTIONS = "github-actions"
_MERGEABILITIES = {
    "clean": Mergeability.CLEAN,
    "has_hooks": Mergeability.CLEAN,
    "unstable": Mergeability.CLEAN,
    "behind": Mergeability.BEHIND,
    "dirty": Mergeability.CONFLICTS,
    "blocked": Mergeability.BLOCKED,
    "draft": Mergeability.BLOCKED,
}
_PASSED = frozenset({"success", "neutral"})
_STATUSES = {
    "success": CheckState.PASSED,
    "pending": CheckState.PENDING,
    "failure": CheckState.FAILED,
    "error": CheckState.FAILED,
}
_REVIEWS = {
    "APPROVED": ReviewState.APPROVED,
    "CHANGES_REQUESTED": ReviewState.CHANGES_REQUESTED,
    "COMMENTED": ReviewState.COMMENTED,
}
MAX_SUMMARY = 2_000


class User(BaseModel):
    """An account."""

    id: int
    login: str
    type: str = "User"

    @property
    def account(self) -> Account:
        """The same, as all forges have it."""
        return Account(id=str(self.id), login=self.login, is_bot=self.type == "Bot")


GHOST = Account(id="", login="ghost")
"""Who an account was that is gone."""


def account_of(user: User | None) -> Account:
    """Return an account; who is gone is a ghost."""
    return user.account if user else GHOST


class End(BaseModel):
    """The head or the base of a pull request."""

    ref: str
    sha: str = ""


class Opened(BaseModel):
    """A pull request in a list, or one just opened."""

    number: int
    html_url: str


class Pull(Opened):
    """A whole pull request."""

    node_id: str = ""
    title: str = ""
    body: str | None = None
    state: str
    merged: bool = False
    merge_commit_sha: str | None = None
    draft: bool = False
    locked: bool = False
    mergeable_state: str = ""
    auto_merge: object | None = None
    user: User | None = None
    head: End
    base: End

    @property
    def where(self) -> PullRequestState:
        """Its state."""
        if self.merged:
            return PullRequestState.MERGED
        return PullRequestState.OPEN if self.state == "open" else PullRequestState.CLOSED

    @property
    def mergeability(self) -> Mergeability:
        """Whether GitHub would merge it; it computes that in the background."""
        return _MERGEABILITIES.get(self.mergeable_state, Mergeability.UNKNOWN)


class _Output(BaseModel):
    title: str | None = None
    summary: str | None = None
    text: str | None = None


class _App(BaseModel):
    slug: str = ""


class Run(BaseModel):
    """A check run; the id of one of GitHub Actions is its job's."""

    id: int
    name: str
    status: str
    conclusion: str | None = None
    html_url: str | None = None
    output: _Output = _Output()
    app: _App | None = None

    @property
    def check(self) -> Check:
        """The same, as all forges have it."""
        words = (self.output.title, self.output.summary, self.output.text)
        return Check(
            id=f"run:{self.id}",
            name=self.name,
            state=self._state(),
            url=self.html_url or "",
            summary="\n".join(part for part in words if part)[:MAX_SUMMARY],
            has_log=self.app is not None and self.app.slug == _ACTIONS,
        )

    def _state(self) -> CheckState:
        if self.status != "completed":
            return CheckState.PENDING
        if self.conclusion in _PASSED:
            return CheckState.PASSED
        return CheckState.SKIPPED if self.conclusion == "skipped" else CheckState.FAILED


class Runs(BaseModel):
    """A page of check runs."""

    check_runs: list[Run]


class Status(BaseModel):
    """A commit status."""

    id: int
    context: str
    state: str
    description: str | None = None
    target_url: str | None = None

    @property
    def check(self) -> Check:
        """The same, as all forges have it."""
        return Check(
            id=f"status:{self.id}",
            name=self.context,
            state=_STATUSES.get(self.state, CheckState.FAILED),
            url=self.target_url or "",
            summary=(self.description or "")[:MAX_SUMMARY],
        )


class Statuses(BaseModel):
    """A page of the newest status of each context."""

    statuses: list[Status]


class ReviewShape(BaseModel):
    """A review."""

    id: int
    user: User | None = None
    state: str
    body: str | None = None
    commit_id: str | None = None
    submitted_at: datetime | None = None

    def review(self, body: str) -> PullRequestReview | None:
        """Return the same, as all forges have it; None for one that is pending or dismissed."""
        state = _REVIEWS.get(self.state)
        if state is None:
            return None
        return PullRequestReview(
            id=str(self.id),
            author=account_of(self.user),
            state=state,
            body=body,
            commit=self.commit_id or "",
            submitted_at=self.submitted_at,
        )


class Comment(BaseModel):
    """A comment on the whole pull request, or on an issue."""

    id: int
    user: User | None = None
    body: str | None = None
    html_url: str = ""
    created_at: datetime
    updated_at: datetime

    @property
    def key(self) -> str:
        """Its id."""
        return str(self.id)

    @property
    def text(self) -> str:
        """Its whole text."""
        return self.body or ""

    @property
    def by(self) -> str:
        """Who wrote it."""
        return str(self.user.id) if self.user else ""

    @property
    def edited_at(self) -> datetime | None:
        """When it was changed, where it was."""
        return self.updated_at if self.updated_at > self.created_at else None


class Ref(BaseModel):
    """A branch."""

    class Target(BaseModel):
        """What it is at."""

        sha: str

    object: Target


class Merged(BaseModel):
    """What a merge gave."""

    sha: str
    merged: bool
