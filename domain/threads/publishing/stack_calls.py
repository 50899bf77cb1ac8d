"""What the activities of a stack of pull requests take and give; see domain/core/effects.py."""

from domain.core.wire import Wire
from domain.forges.pull_requests import PullRequest, PullRequestDraft
from domain.threads.bases.calls import BaseQuery
from domain.threads.publishing.calls import PushCall
from domain.threads.publishing.publication import PushedBranch


class StackCall(PushCall):
    """Look where the `tasks`, each with the commit that brought it in, are in the branch that is to be published."""

    tasks: dict[str, str] = {}

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"find the tasks of {self.branch}"


class StackFound(Wire):
    """The tasks in the order of the branch; `missing` are not in it any more."""

    pushed: PushedBranch
    tasks: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class ReplayCall(BaseQuery):
    """Put the commits `since`..`commit` on top of `onto`, or on the base's newest where that is empty.

    `onto_branch` is where `onto` is on the remote, `key` names what keeps the result, `title` is what it is called where it
    becomes one commit.
    """

    since: str
    commit: str
    onto: str = ""
    onto_branch: str = ""
    key: str
    title: str
    address: str = ""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"replay {self.key} onto {self.onto_branch or self.base}"


class Replayed(Wire):
    """The commits as `commit`, on top of `begins_at`; or why a person must do that."""

    commit: str = ""
    begins_at: str = ""
    failure: str = ""


class LayerCall(PushCall):
    """Push `commit` to `draft.head` where that is new or at one of `made`; then have its pull request as the draft says.

    `number` is the pull request that is open already, 0 where none is.
    """

    made: tuple[str, ...] = ()
    draft: PullRequestDraft
    number: int = 0
    url: str = ""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"publish {self.draft.head}"


class LayerAnswer(Wire):
    """The pull request; or why there is none."""

    pull_request: PullRequest | None = None
    obstacle: str = ""
