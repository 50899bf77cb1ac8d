"""What people ask of a contest."""

from pydantic import Field

from domain.core.approval_commands import Approve
from domain.core.command import MAX_NAME, Coded
from domain.core.ids import TaskId


class Take(Approve):
    """Take the work of one candidate; bound to what was shown of all of them."""

    door = "take"

    candidate: TaskId = Field(max_length=MAX_NAME)

    @property
    def choice(self) -> str:
        """Whose work."""
        return f"{self.door}/{self.candidate}"


class AddCandidate(Coded):
    """Have another agent do a task as well."""

    door = "add_candidate"

    task_id: TaskId = Field(max_length=MAX_NAME)
    agent: str = Field(max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The task, and who is to do it."""
        return f"{self.task_id}@{self.agent}:{self.model or ''}"
