"""The bodies of merging and publishing a thread's branch, as it was shown."""

from typing import Annotated, Literal

from pydantic import Field

from api.bodies import CommandBody

ShownCommit = Annotated[str, Field(pattern="^[0-9a-f]{40}([0-9a-f]{24})?$")]


class PublishBody(CommandBody):
    """Where a thread's branch is pushed to; `address` is that of the remote where it has changed.

    If the branch has moved from the `commit` that was shown, nothing is pushed.
    """

    commit: ShownCommit | Literal[""] = ""
    remote: str = Field(default="", max_length=200)
    address: str = Field(default="", max_length=300)
    wants_pull_request: bool = True


class MergeBody(CommandBody):
    """What was shown: where the thread's branch was, and the branch that it is merged into."""

    commit: ShownCommit
    target_commit: ShownCommit
