"""Events of merging a thread's branch into the branch that the thread began on."""

from typing import Literal

from pydantic import Field

from domain.core.event import EventBody


class MergeRequested(EventBody):
    """A person wants this commit of the thread's branch in `target`, which they saw at `target_commit`."""

    kind: Literal["merge_requested"] = "merge_requested"
    number: int
    commit: str
    target: str
    target_commit: str
    beside: dict[str, str] = Field(default={}, exclude_if=lambda beside: not beside)
    by: str = ""


class BranchMerged(EventBody):
    """The branch is in its target, which is at `merge_commit`; with a `failure` nothing was changed."""

    kind: Literal["branch_merged"] = "branch_merged"
    branch: str
    target: str
    commit: str
    merge_commit: str = ""
    failure: str = ""


LandingEvent = MergeRequested | BranchMerged
