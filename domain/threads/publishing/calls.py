"""What the activities of publishing take and give; see domain/effects.py."""

from domain.core.effects import Effect
from domain.core.wire import Wire
from domain.core.workspaces import BesideRepository
from domain.forges.pull_requests import PullRequest, PullRequestDraft
from domain.threads.publishing.publication import PushedBranch


class PushBeside(BesideRepository):
    """A repository whose branch is pushed together with the thread's own; `known` is as in `PushCall`."""

    known: dict[str, str] = {}


class PushCall(Effect):
    """Push a branch; a remote that is not named is `origin`, or the only one.

    `known` are the remotes' addresses when the thread was opened, `address` the one that a person gave,
    `commit` the one that they were shown; empty where a template publishes. The branches of `beside` are
    pushed with it, all or none. What a `thread` pushes gets a receipt.
    """

    repository: str
    branch: str
    remote: str = ""
    address: str = ""
    known: dict[str, str] = {}
    commit: str = ""
    beside: tuple[PushBeside, ...] = ()
    thread: str = ""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"push {self.branch} to {self.remote or 'its remote'}"


class BranchPushed(Wire):
    """The branch is on the remote."""

    pushed: PushedBranch


class PullRequestCall(Effect):
    """Open a pull request, or find the open one; that of a `thread` tells its receipt."""

    draft: PullRequestDraft
    thread: str = ""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"open a pull request from {self.draft.head} into {self.draft.base}"


class PullRequestAnswer(Wire):
    """The pull request; or why there is none, and what to do."""

    pull_request: PullRequest | None = None
    obstacle: str = ""
