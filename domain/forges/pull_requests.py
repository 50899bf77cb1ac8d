"""Pull requests as a forge shows them: their state, checks, reviews, and whether they can be merged.

GitLab calls them merge requests; here they have GitHub's and Gitea's name.
"""

from datetime import datetime
from enum import StrEnum
from urllib.parse import quote

from pydantic import Field

from domain.core.wire import Wire
from domain.forges.projects import Account, ForgeProject

MAX_TITLE = 200
MAX_BODY = 40_000
"""Characters of the text that a pull request is opened with, without its receipt."""
MAX_FORGE_BODY = 65_000
"""What every forge takes; GitHub has the least, 65,536 characters."""
MAX_FOREIGN_TEXT = 8_000
"""Characters of one comment, review or summary that are kept; the rest is cut with a notice."""


class PullRequestDraft(Wire):
    """A pull request as it is asked for; `base` is a branch of the project.

    `head` is a branch of `head_project`, or of the project itself where it has none (a fork's is set).
    """

    project: ForgeProject
    head: str
    base: str
    title: str
    body: str = ""
    head_project: ForgeProject | None = None

    @property
    def compare_url(self) -> str:
        """Where a person opens it by hand."""
        p, where = self.project, f"{quote(self.base)}...{quote(self.head)}"
        return f"https://{p.host}/{quote(p.owner)}/{quote(p.name)}/compare/{where}?expand=1"


class PullRequest(Wire):
    """A pull request that is open; one that was there before is not new."""

    number: int
    url: str
    is_new: bool = True


class PullRequestId(Wire):
    """Which pull request: its number counts within its project."""

    project: ForgeProject
    number: int


class PullRequestState(StrEnum):
    """Where a pull request stands on its forge."""

    OPEN = "open"
    MERGED = "merged"
    CLOSED = "closed"


class CheckState(StrEnum):
    """What a check run, commit status or pipeline job says."""

    PENDING = "pending"
    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


class Check(Wire):
    """One check of the head commit; `id` is the forge's and names its log."""

    id: str
    name: str
    state: CheckState
    url: str = ""
    summary: str = ""
    has_log: bool = False


class Mergeability(StrEnum):
    """Whether the forge would merge it now."""

    UNKNOWN = "unknown"
    CLEAN = "clean"
    BEHIND = "behind"
    CONFLICTS = "conflicts"
    BLOCKED = "blocked"


class ReviewState(StrEnum):
    """What a reviewer decided."""

    APPROVED = "approved"
    CHANGES_REQUESTED = "changes_requested"
    COMMENTED = "commented"


class PullRequestReview(Wire):
    """A reviewer's word on one commit."""

    id: str
    author: Account
    state: ReviewState
    body: str = ""
    commit: str = ""
    submitted_at: datetime | None = None


class ReviewComment(Wire):
    """One comment of a review thread; `edited_at` is set where it was changed after it was written."""

    id: str
    author: Account
    body: str
    url: str = ""
    created_at: datetime
    edited_at: datetime | None = None


class ReviewThread(Wire):
    """Comments on one place; a comment on the whole pull request has no path, and cannot be resolved."""

    id: str
    path: str = ""
    line: int = 0
    is_resolved: bool = False
    is_resolvable: bool = True
    comments: tuple[ReviewComment, ...] = ()


class PullRequestView(Wire):
    """A pull request as one look at the forge saw it, without its text."""

    number: int
    url: str
    state: PullRequestState
    title: str = ""
    author: Account | None = None
    head: str
    head_commit: str
    base: str
    base_commit: str = ""
    merge_commit: str = ""
    is_draft: bool = False
    is_locked: bool = False
    will_merge_itself: bool = False
    mergeability: Mergeability = Mergeability.UNKNOWN
    checks: tuple[Check, ...] = ()
    reviews: tuple[PullRequestReview, ...] = ()
    threads: tuple[ReviewThread, ...] = ()


class Look(Wire):
    """What one look gave: a view, or None where nothing changed since the look that gave `tags`.

    `tags` are the validators (ETag or Last-Modified) of each request, by its path; they are sent with
    the next look. `wait` is how long the forge wants to be left alone, in seconds; 0 where it says nothing.
    """

    view: PullRequestView | None = None
    tags: dict[str, str] = Field(default_factory=dict)
    wait: float = 0.0


class MergeMethod(StrEnum):
    """How the commits of a pull request land on its base."""

    MERGE = "merge"
    SQUASH = "squash"
    REBASE = "rebase"


class MergeTiming(StrEnum):
    """When: now, or as soon as the forge's own conditions hold (auto-merge, or its queue where it has one)."""

    NOW = "now"
    WHEN_READY = "when_ready"


class MergeRequest(Wire):
    """A merge as it is asked for: of `commit` only, so a head that moved is refused."""

    of: PullRequestId
    commit: str
    method: MergeMethod = MergeMethod.MERGE
    timing: MergeTiming = MergeTiming.NOW
    title: str = ""


class MergeAnswer(Wire):
    """What the forge made of it: merged now as `merge_commit`, or it will do so by itself."""

    is_merged: bool
    merge_commit: str = ""


class CommitStatus(Wire):
    """A status that we set on a commit; `context` is its name, and setting it again replaces it."""

    context: str
    state: CheckState
    description: str = ""
    url: str = ""
