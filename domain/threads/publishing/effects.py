"""What a thread must have under way to publish its branch, and what it is told of it."""

from domain.core.wire import Wire
from domain.forges.pull_requests import PullRequest, PullRequestDraft
from domain.threads.effects import ThreadEffect
from domain.threads.publishing.publication import PushedBranch


class PushBranch(ThreadEffect):
    """Push the thread's branch."""

    kind = "push"

    number: int

    @property
    def name(self) -> str:
        """How often it was asked for."""
        return str(self.number)


class OpenPullRequest(ThreadEffect):
    """Open the pull request of what was pushed."""

    kind = "pull-request"

    number: int
    draft: PullRequestDraft

    @property
    def name(self) -> str:
        """How often it was asked for."""
        return str(self.number)


class EndPush(Wire):
    """What the push gave: what was pushed, or why nothing was."""

    number: int
    pushed: PushedBranch | None = None
    failure: str = ""


class EndPullRequest(Wire):
    """What asking for a pull request gave: it, what a person must do instead, or why it failed."""

    number: int
    pull_request: PullRequest | None = None
    obstacle: str = ""
    failure: str = ""


class StartWatch(ThreadEffect):
    """Have the pull request watched, or tell its watch what was pushed."""

    kind = "watch-pull-request"

    number: int
    url: str
    commit: str

    @property
    def name(self) -> str:
        """The pull request, and what was pushed."""
        return f"{self.number}:{self.commit}"


class EndWatchStart(Wire):
    """The pull request is watched."""

    number: int
    commit: str


class NotePullRequest(Wire):
    """A watched pull request has ended; sent by its workflow in the signal `note_pull_request`."""

    number: int
    url: str = ""
    is_merged: bool = False
    merge_commit: str = ""
    head_commit: str = ""
