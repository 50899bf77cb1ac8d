"""Events of a watched pull request's stream, `THREAD/publication/NUMBER`."""

from datetime import datetime
from typing import Literal

from domain.core.event import EventBody
from domain.forges.policy import PullRequestPolicy
from domain.forges.pull_requests import MergeMethod, MergeTiming, PullRequestId, PullRequestView
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import Item, ItemOutcome
from domain.publications.reworks import ReworkCount


class PullRequestWatched(EventBody):
    """The pull request is looked at from now on; `commit` is what was pushed of it."""

    kind: Literal["pull_request_watched"] = "pull_request_watched"
    of: PullRequestId
    url: str = ""
    commit: str = ""
    policy: PullRequestPolicy = PullRequestPolicy()
    by: str = ""
    reworks: ReworkCount = ReworkCount()


class PullRequestPolicyChanged(EventBody):
    """The plan that was approved last lets something else happen to it without asking, from now on."""

    kind: Literal["pull_request_policy_changed"] = "pull_request_policy_changed"
    policy: PullRequestPolicy


class PullRequestPushed(EventBody):
    """The thread has pushed another commit to it."""

    kind: Literal["pull_request_pushed"] = "pull_request_pushed"
    commit: str


class PullRequestSeen(EventBody):
    """A look found it changed; texts from outside are cut.

    `pending_since` is when checks of its head commit were first found pending, None where none are; `receipt`
    is how the receipt stands for its head commit, where that is known.
    """

    kind: Literal["pull_request_seen"] = "pull_request_seen"
    view: PullRequestView
    pending_since: datetime | None = None
    receipt: HeadReceipt | None = None


class PullRequestItemOpened(EventBody):
    """Something of it wants a person."""

    kind: Literal["pull_request_item_opened"] = "pull_request_item_opened"
    item: Item


class PullRequestItemClosed(EventBody):
    """An item wants nobody any more; `by` is who dismissed it, if a person did."""

    kind: Literal["pull_request_item_closed"] = "pull_request_item_closed"
    item_id: str
    subject: str = ""
    outcome: ItemOutcome
    by: str = ""


class PullRequestReworkAsked(EventBody):
    """A person, or the policy, has the thread change its work because of an item."""

    kind: Literal["pull_request_rework_asked"] = "pull_request_rework_asked"
    number: int
    item: Item
    by: str
    is_by_policy: bool = False


class PullRequestReworkSent(EventBody):
    """The thread knows of the rework."""

    kind: Literal["pull_request_rework_sent"] = "pull_request_rework_sent"
    number: int


class PullRequestReworkEnded(EventBody):
    """A rework is on the thread's branch, or failed for a reason; then its item waits for a person.

    `usd` is what all reworks of the pull request have cost so far; `at` is set where it is pushed without a person.
    """

    kind: Literal["pull_request_rework_ended"] = "pull_request_rework_ended"
    number: int
    is_done: bool = False
    reason: str = ""
    usd: float = 0.0
    at: datetime | None = None


class PullRequestReworkPushed(EventBody):
    """What a rework changed was pushed as `commit`; `usd` is what all reworks have cost so far."""

    kind: Literal["pull_request_rework_pushed"] = "pull_request_rework_pushed"
    number: int
    commit: str
    usd: float = 0.0


class PullRequestCommentAnswered(EventBody):
    """The comment that was reworked is answered on the forge; or why it is not."""

    kind: Literal["pull_request_comment_answered"] = "pull_request_comment_answered"
    number: int
    failure: str = ""


class PullRequestMergeAsked(EventBody):
    """A person, or the policy, asks for the merge of one commit."""

    kind: Literal["pull_request_merge_asked"] = "pull_request_merge_asked"
    number: int
    commit: str
    method: MergeMethod
    timing: MergeTiming
    by: str
    is_by_policy: bool = False


class PullRequestMergeAnswered(EventBody):
    """What the forge made of it: merged, it will merge by itself, or refused with a reason."""

    kind: Literal["pull_request_merge_answered"] = "pull_request_merge_answered"
    number: int
    is_merged: bool = False
    merge_commit: str = ""
    failure: str = ""


class PullRequestMergeWithdrawn(EventBody):
    """A person wants the forge not to merge by itself; or its head has moved or it is reworked (`is_by_policy`)."""

    kind: Literal["pull_request_merge_withdrawn"] = "pull_request_merge_withdrawn"
    number: int
    by: str = ""
    is_by_policy: bool = False


class PullRequestMergeCancelled(EventBody):
    """The forge does not merge by itself any more; or why it could not be told so."""

    kind: Literal["pull_request_merge_cancelled"] = "pull_request_merge_cancelled"
    number: int
    failure: str = ""


class PullRequestEnded(EventBody):
    """It is merged or closed: as `merge_commit`, of `head_commit`."""

    kind: Literal["pull_request_ended"] = "pull_request_ended"
    is_merged: bool
    merge_commit: str = ""
    head_commit: str = ""
    is_ours: bool = False


class PullRequestReported(EventBody):
    """The thread knows how it ended."""

    kind: Literal["pull_request_reported"] = "pull_request_reported"


class PullRequestBranchDeleted(EventBody):
    """Its branch was deleted on the forge; or why it was not."""

    kind: Literal["pull_request_branch_deleted"] = "pull_request_branch_deleted"
    branch: str
    failure: str = ""


class PullRequestBaseAsked(EventBody):
    """The thread was asked to take the base in, for a head and a base; `is_reached` tells whether it is there."""

    kind: Literal["pull_request_base_asked"] = "pull_request_base_asked"
    commit: str
    base_commit: str = ""
    at: datetime
    is_reached: bool = True


class PullRequestUnwatched(EventBody):
    """Nobody looks at it any more; `is_closed` for ever, as its thread is removed."""

    kind: Literal["pull_request_unwatched"] = "pull_request_unwatched"
    by: str = ""
    is_closed: bool = False
