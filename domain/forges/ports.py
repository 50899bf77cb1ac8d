"""The ports to forges and trackers; see domain/core/ports.py.

Every method raises `ForgeBusyError` where asking again later can help, `ForgeAccessError`,
`ForgeGoneError` and `ForgeConflictError` where a person must do something, and `ForgeError` for any other
refusal. Whatever writes takes a `key` or is by nature the same when repeated: a call that was answered
and is made again, because the answer was lost, changes nothing.
"""

from typing import Protocol

from domain.forges.issues import Issue, IssueComment, IssueId, IssuePage, IssueQuery
from domain.forges.projects import Account, ForgeProject
from domain.forges.pull_requests import (
    CommitStatus,
    Look,
    MergeAnswer,
    MergeRequest,
    PullRequest,
    PullRequestDraft,
    PullRequestId,
)


class Forge(Protocol):
    """Where pull requests are opened."""

    def obstacle(self, project: ForgeProject) -> str:
        """Return why nothing can be done there, and what to do; empty where something can."""
        ...

    async def open_pull_request(self, draft: PullRequestDraft) -> PullRequest:
        """Return the open pull request of head and base, opened now where there is none."""
        ...


class PullRequests(Forge, Protocol):
    """What becomes of pull requests once they are open."""

    async def look(self, of: PullRequestId, tags: dict[str, str]) -> Look:
        """Look at a pull request, conditionally: `tags` are those that the last look gave."""
        ...

    async def check_log(self, of: PullRequestId, check: str, most: int) -> str:
        """Return the last `most` characters of a check's log; empty where the forge keeps none."""
        ...

    async def reply(self, of: PullRequestId, thread: str, text: str, key: str) -> str:
        """Answer a review thread, once for each key; returns the comment's id."""
        ...

    async def resolve(self, of: PullRequestId, thread: str) -> None:
        """Mark a review thread as resolved, where the forge has such a mark."""
        ...

    async def comment(self, of: PullRequestId, text: str, key: str) -> str:
        """Comment on a pull request, once for each key: where it is there, its text is replaced."""
        ...

    async def body(self, of: PullRequestId) -> str:
        """Return the whole text of a pull request, to put something into it; looks do not read it."""
        ...

    async def edit(
        self, of: PullRequestId, *, body: str | None = None, base: str | None = None
    ) -> None:
        """Replace the body of a pull request, or change what it is merged into."""
        ...

    async def merge(self, request: MergeRequest) -> MergeAnswer:
        """Merge a pull request, or have the forge do so by itself; merged already is an answer too."""
        ...

    async def cancel_merge(self, of: PullRequestId) -> None:
        """Take back that the forge merges by itself; fine where it would not."""
        ...

    async def close(self, of: PullRequestId) -> None:
        """Close a pull request without merging it; fine where it is closed."""
        ...

    async def delete_branch(self, project: ForgeProject, branch: str, commit: str) -> None:
        """Delete a branch that is still at `commit`; fine where it is gone."""
        ...

    async def set_status(self, project: ForgeProject, commit: str, status: CommitStatus) -> None:
        """Set a status of a commit; the same context again replaces it.

        Only `PASSED` is shown as a success: what is skipped is pending where the forge has nothing nearer.
        """
        ...


class Tracker(Protocol):
    """Where issues are."""

    async def changed_issues(
        self, query: IssueQuery, cursor: str, tags: dict[str, str]
    ) -> IssuePage:
        """Return the issues of a query that changed since `cursor`; empty is from the beginning."""
        ...

    async def issue(self, ref: IssueId) -> Issue:
        """Return an issue as it is now."""
        ...

    async def labelled_by(self, ref: IssueId, label: str) -> Account | None:
        """Return who set a label on an issue last; None where the tracker does not tell."""
        ...

    async def comments(self, ref: IssueId, after: str) -> tuple[IssueComment, ...]:
        """Return the comments behind the one with the id `after`, oldest first; empty is all."""
        ...

    async def comment(self, ref: IssueId, text: str, key: str) -> str:
        """Comment on an issue, once for each key: where it is there, its text is replaced."""
        ...

    async def close(self, ref: IssueId) -> None:
        """Close an issue as done; fine where it is closed."""
        ...
