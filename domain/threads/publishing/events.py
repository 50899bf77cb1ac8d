"""Events of publishing a thread's branch."""

from typing import Literal

from pydantic import Field

from domain.core.event import EventBody
from domain.forges.pull_requests import PullRequest
from domain.threads.publishing.publication import PushedBranch


class PublishRequested(EventBody):
    """A person, or the template at the end of plan `plan`, wants the branch to be published.

    A person does so of the `commit` that they were shown, the policy for the base of one that it was taken into.
    One `is_by_task` makes a pull request of each task.
    """

    kind: Literal["publish_requested"] = "publish_requested"
    number: int
    remote: str = ""
    address: str = ""
    wants_pull_request: bool = True
    plan: int = 0
    by: str = ""
    commit: str = ""
    is_by_policy: bool = Field(default=False, exclude_if=lambda is_by_policy: not is_by_policy)
    is_by_task: bool = Field(default=False, exclude_if=lambda is_by_task: not is_by_task)


class BranchPublished(EventBody):
    """The branch is on the remote."""

    kind: Literal["branch_published"] = "branch_published"
    pushed: PushedBranch


class PullRequestOpened(EventBody):
    """The branch's pull request is open; it may have been before."""

    kind: Literal["pull_request_opened"] = "pull_request_opened"
    pull_request: PullRequest


class PullRequestLeft(EventBody):
    """The branch is on the remote, and a person opens the pull request, at this address if any."""

    kind: Literal["pull_request_left"] = "pull_request_left"
    reason: str
    compare_url: str = ""


class PublishFailed(EventBody):
    """The push or the pull request was refused; what was done stays, publishing again goes on."""

    kind: Literal["publish_failed"] = "publish_failed"
    step: Literal["push", "pull_request"]
    reason: str
    compare_url: str = ""


class PullRequestWatchStarted(EventBody):
    """The pull request has a workflow of its own, which knows that `commit` was pushed."""

    kind: Literal["pull_request_watch_started"] = "pull_request_watch_started"
    number: int
    commit: str
    rework: int = 0


class ReworkRequested(EventBody):
    """The pull request's watch asks for a change of the work; what `text` quotes is from outside."""

    kind: Literal["rework_requested"] = "rework_requested"
    pull_request: int
    number: int
    item_id: str = ""
    subject: str
    text: str
    by: str = ""
    is_by_policy: bool = False
    by_policy: int = 0


class ReworkPlanned(EventBody):
    """A rework is the plan of this revision."""

    kind: Literal["rework_planned"] = "rework_planned"
    number: int
    revision: int


class ReworkEnded(EventBody):
    """A rework is on the branch, or failed for a reason."""

    kind: Literal["rework_ended"] = "rework_ended"
    number: int
    is_done: bool = False
    reason: str = ""


class ReworkTold(EventBody):
    """The watch of the pull request knows how a rework ended."""

    kind: Literal["rework_told"] = "rework_told"
    number: int


class PullRequestFinished(EventBody):
    """The pull request was merged as `merge_commit`, or closed; `head_commit` is what it was then."""

    kind: Literal["pull_request_finished"] = "pull_request_finished"
    number: int
    url: str = ""
    is_merged: bool = False
    merge_commit: str = ""
    head_commit: str = ""


PublishingEvent = (
    PublishRequested
    | BranchPublished
    | PullRequestOpened
    | PullRequestLeft
    | PublishFailed
    | PullRequestWatchStarted
    | PullRequestFinished
    | ReworkRequested
    | ReworkPlanned
    | ReworkEnded
    | ReworkTold
)
