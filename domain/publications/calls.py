"""What the activities of a watched pull request take and give; see domain/core/effects.py."""

from domain.core.effects import Effect
from domain.core.wire import Wire
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import Look, MergeAnswer, MergeRequest, PullRequestId
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import ItemKind

RECEIPT_CONTEXT = "treadle/receipt"
"""What the status of a commit is called that shows its receipt."""


class LookCall(Effect):
    """Look at a pull request; `tags` are those of the last look.

    With a `thread`, its receipt is shown as a status of the head commit, unless that is `receipted`, for which it
    was shown. `pushed` is what the thread pushed last, from `repository`.
    """

    of: PullRequestId
    tags: dict[str, str] = {}
    thread: str = ""
    repository: str = ""
    pushed: str = ""
    receipted: str = ""

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"look at pull request #{self.of.number}"


class LookAnswer(Wire):
    """What a look gave; or why it gave nothing, and what kind of trouble that is.

    `receipted` is the head commit that the receipt's status was set of, now or before; `receipt` is how the
    receipt stands for it, where this look found out.
    """

    look: Look | None = None
    trouble: ItemKind | None = None
    failure: str = ""
    wait: float = 0.0
    receipted: str = ""
    receipt: HeadReceipt | None = None


class MergeCall(Effect):
    """Merge a pull request."""

    request: MergeRequest

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"merge pull request #{self.request.of.number}"


class MergeOutcome(Wire):
    """What the forge made of it, or why it refused."""

    answer: MergeAnswer | None = None
    failure: str = ""


class CancelMergeCall(Effect):
    """Have the forge not merge by itself."""

    of: PullRequestId

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"cancel the merge of pull request #{self.of.number}"


class DeleteBranchCall(Effect):
    """Delete a branch that is still at a commit."""

    project: ForgeProject
    branch: str
    commit: str

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"delete the branch {self.branch}"


class CheckLogCall(Effect):
    """Read the end of a check's log."""

    of: PullRequestId
    check: str
    most: int

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"read the log of a check of pull request #{self.of.number}"


class CheckLog(Wire):
    """The end of a log, from outside; or why there is none."""

    text: str = ""
    failure: str = ""


class AnswerCall(Effect):
    """Answer a review thread once, and mark it as resolved."""

    of: PullRequestId
    thread: str
    text: str
    key: str

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"answer a comment on pull request #{self.of.number}"


class Done(Wire):
    """That something was done, or why it was refused."""

    is_done: bool = True
    failure: str = ""
