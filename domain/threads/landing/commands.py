"""What a person says of the finished branch."""

import json
from typing import Annotated

from pydantic import Field

from domain.core.beside import MAX_BESIDE
from domain.core.command import MAX_NAME, Coded


class MergeBranch(Coded):
    """Merge the thread's branch into the branch that the thread began on.

    `commit` and `target_commit` are where both were when they were shown, `beside` where the targets were in the
    repositories beside, by their names.
    """

    door = "merge_branch"

    commit: str = Field(max_length=MAX_NAME)
    target_commit: str = Field(max_length=MAX_NAME)
    beside: dict[Annotated[str, Field(max_length=MAX_NAME)], str] = Field(
        default={}, max_length=MAX_BESIDE
    )

    @property
    def content(self) -> str:
        """What was shown."""
        shown = (self.commit, self.target_commit)
        return json.dumps((*shown, sorted(self.beside.items())) if self.beside else shown)
