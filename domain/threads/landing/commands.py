"""What a person says of the finished branch."""

import json

from pydantic import Field

from domain.core.command import MAX_NAME, Coded


class MergeBranch(Coded):
    """Merge the thread's branch into the branch that the thread began on.

    `commit` and `target_commit` are where both were when they were shown.
    """

    door = "merge_branch"

    commit: str = Field(max_length=MAX_NAME)
    target_commit: str = Field(max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """What was shown."""
        return json.dumps((self.commit, self.target_commit))
