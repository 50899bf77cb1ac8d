"""What is known of a watched pull request."""

from datetime import datetime

from domain.core.wire import Wire
from domain.forges.policy import PullRequestPolicy
from domain.forges.pull_requests import MergeMethod, MergeTiming, PullRequestId, PullRequestView
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import Item, ItemOutcome
from domain.publications.reworks import EndedRework, Rework, ReworkCount


class Merging(Wire):
    """A merge as it was asked for last; `number` counts them."""

    number: int = 0
    commit: str = ""
    method: MergeMethod = MergeMethod.MERGE
    timing: MergeTiming = MergeTiming.NOW
    by: str = ""
    is_asking: bool = False
    is_waiting: bool = False
    is_withdrawing: bool = False
    failure: str = ""


class AskedBase(Wire):
    """When the thread was asked last to take the base in, and for which head and base."""

    commit: str
    base_commit: str = ""
    at: datetime
    is_reached: bool = True


class PublicationState(Wire):
    """A pull request; `commits` are the newest that the thread has pushed, the last is the newest.

    `items` are those that want a person, `closed` how the newest others were closed, by their ids. `acted`
    are the comments that somebody acted on. `rework` is the one under way, `ended_reworks` are the newest before. `pending_since` is when a look first found this commit's
    checks pending.
    """

    of: PullRequestId | None = None
    url: str = ""
    policy: PullRequestPolicy = PullRequestPolicy()
    is_watched: bool = False
    commits: tuple[str, ...] = ()
    view: PullRequestView | None = None
    items: dict[str, Item] = {}
    closed: dict[str, ItemOutcome] = {}
    acted: tuple[str, ...] = ()
    merging: Merging = Merging()
    rework: Rework | None = None
    reworks: ReworkCount = ReworkCount()
    ended_reworks: tuple[EndedRework, ...] = ()
    is_ended: bool = False
    is_merged: bool = False
    is_ours: bool = False
    is_reported: bool = False
    merge_commit: str = ""
    head_commit: str = ""
    is_branch_deleted: bool = False
    pending_since: datetime | None = None
    receipt: HeadReceipt | None = None
    is_closed: bool = False
    asked_base: AskedBase | None = None

    @property
    def commit(self) -> str:
        """What the thread has pushed last."""
        return self.commits[-1] if self.commits else ""

    def is_new(self, item: str) -> bool:
        """Tell whether an item is neither open nor was acted on; what went away may come again."""
        acted_on = {ItemOutcome.DISMISSED, ItemOutcome.REWORKED}
        return item not in self.items and self.closed.get(item) not in acted_on

    @property
    def deletes_branch(self) -> bool:
        """Whether its branch is still to be deleted."""
        return self.is_merged and self.policy.deletes_branch and not self.is_branch_deleted

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do: it has ended, the thread knows, and nobody is asked anything."""
        is_done = self.is_ended and self.is_reported and not self.deletes_branch
        return self.is_closed or (is_done and not self.items)
