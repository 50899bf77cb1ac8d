"""What a person says of the base of a thread's branch."""

from enum import StrEnum

from domain.core.command import Coded


class BaseMethod(StrEnum):
    """How a base is taken in this once."""

    POLICY = "policy"
    MERGE = "merge"
    REBASE = "rebase"


class UpdateBase(Coded):
    """Fetch the base of a thread's branch, and take it in if it has moved, also what a force-push has rewritten."""

    door = "update_base"

    method: BaseMethod = BaseMethod.POLICY

    @property
    def content(self) -> str:
        """How."""
        return self.method
