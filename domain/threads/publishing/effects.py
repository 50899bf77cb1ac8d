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


class AskRework(Wire):
    """A watched pull request wants the work to be changed; sent in the signal `ask_rework`.

    `text` quotes what is from outside; `subject` is ours. `by_policy` counts those that nobody asked for.
    """

    pull_request: int
    number: int
    item_id: str
    subject: str
    text: str
    by: str = ""
    is_by_policy: bool = False
    by_policy: int = 0


class TellRework(ThreadEffect):
    """Tell the watch of the pull request how a rework ended."""

    kind = "tell-rework"

    pull_request: int
    number: int
    is_done: bool
    is_published: bool
    reason: str
    usd: float = 0.0

    @property
    def name(self) -> str:
        """Which rework."""
        return f"{self.pull_request}:{self.number}"


class EndReworkTelling(Wire):
    """The watch knows how a rework ended."""

    pull_request: int
    number: int


class StartWatch(ThreadEffect):
    """Have the pull request watched, or tell its watch what was pushed."""

    kind = "watch-pull-request"

    number: int
    url: str
    commit: str
    rework: int = 0

    @property
    def name(self) -> str:
        """The pull request, and what was pushed."""
        rework = f":{self.rework}" if self.rework else ""
        return f"{self.number}:{self.commit}{rework}"


class EndWatchStart(Wire):
    """The pull request is watched."""

    number: int
    commit: str
    rework: int = 0


class NotePullRequest(Wire):
    """A watched pull request has ended; sent by its workflow in the signal `note_pull_request`."""

    number: int
    url: str = ""
    is_merged: bool = False
    merge_commit: str = ""
    head_commit: str = ""
