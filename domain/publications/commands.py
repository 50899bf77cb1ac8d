"""What people say to a watched pull request, and what its workflow is told."""

from pydantic import Field

from domain.core.command import MAX_NAME, Coded, Stopping
from domain.core.wire import Wire
from domain.forges.policy import PullRequestPolicy
from domain.forges.pull_requests import Look, MergeAnswer, MergeMethod, MergeTiming
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import ItemKind


class LookAtPullRequest(Coded):
    """Look at it now."""

    door = "look_at_pull_request"


class WatchPullRequest(Coded):
    """Look at it again, from now on."""

    door = "watch_pull_request"


class UnwatchPullRequest(Stopping):
    """Do not look at it any more."""

    door = "unwatch_pull_request"


class DismissPullRequestItem(Coded):
    """Say that an item wants nobody; it does not come again."""

    door = "dismiss_pull_request_item"

    item_id: str = Field(max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The item."""
        return self.item_id


class ReworkPullRequestItem(Coded):
    """Have the thread change its work because of a failed check, a comment or a review."""

    door = "rework_pull_request_item"

    item_id: str = Field(max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The item."""
        return self.item_id


class MergePullRequest(Coded):
    """Merge the commit that was shown, by a method or the policy's."""

    door = "merge_pull_request"

    commit: str = Field(max_length=MAX_NAME)
    method: MergeMethod | None = None
    timing: MergeTiming = MergeTiming.NOW

    @property
    def content(self) -> str:
        """What is merged, and how."""
        return f"{self.commit} {self.method or ''} {self.timing}"


class CancelPullRequestMerge(Stopping):
    """Have the forge not merge it by itself."""

    door = "cancel_pull_request_merge"


class NoteLook(Wire):
    """What a look gave; and how the receipt stands for the head, where it found out."""

    look: Look
    receipt: HeadReceipt | None = None


class NoteTrouble(Wire):
    """Looks fail; `kind` says what a person must do, if anybody."""

    kind: ItemKind
    words: str


class EndMerge(Wire):
    """What asking for a merge gave."""

    number: int
    answer: MergeAnswer | None = None
    failure: str = ""


class EndMergeCancel(Wire):
    """What asking the forge not to merge gave."""

    number: int
    failure: str = ""


class EndBranchDelete(Wire):
    """What deleting the branch gave."""

    branch: str
    failure: str = ""


class EndReport(Wire):
    """The thread was told."""


class EndBaseAsk(Wire):
    """The thread was asked to take the base in, or is not there any more."""

    commit: str
    base_commit: str = ""
    is_reached: bool = True


class NotePush(Wire):
    """The thread has pushed a commit; a watch that was stopped goes on. Sent in the signal `note_push`.

    `rework` is the number of the newest rework that was done before, 0 for none; `usd` is what all reworks have cost.
    `policy` is what holds from now on.
    """

    commit: str
    by: str = ""
    rework: int = 0
    usd: float = 0.0
    policy: PullRequestPolicy | None = None


class NoteStack(Wire):
    """What keeps the pull request from following the one below it; empty where nothing does. Sent in `note_stack`."""

    trouble: str = ""


class EndReworkAsk(Wire):
    """The thread was asked for a rework; or why it could not be."""

    number: int
    failure: str = ""


class NoteRework(Wire):
    """A rework of the thread has ended; sent in the signal `note_rework`.

    One that `is_done` is on the thread's branch; with `is_published` it is pushed without a person. `usd` is what all
    reworks of the pull request have cost.
    """

    number: int
    is_done: bool = False
    is_published: bool = False
    reason: str = ""
    usd: float = 0.0


class EndAnswer(Wire):
    """What answering a comment gave."""

    number: int
    failure: str = ""


class CloseWatch(Wire):
    """The thread is removed: end. Sent in the signal `close_watch`."""
