"""The body of a merge into the branch that a thread began on."""

from typing import Annotated

from pydantic import Field

from api.bodies import CommandBody

Shown = Annotated[str, Field(pattern="^[0-9a-f]{40}([0-9a-f]{24})?$")]


class MergeBody(CommandBody):
    """What was shown: where the thread's branch was, and the branch that it is merged into."""

    commit: Shown
    target_commit: Shown
