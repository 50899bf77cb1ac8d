"""The status of a task in its thread."""

from enum import StrEnum


class TaskStatus(StrEnum):
    """Where a task stands."""

    PENDING = "pending"
    NEEDS_DECISION = "needs_decision"
    PLANNING = "planning"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    BLOCKED = "blocked"
    CANCELLED = "cancelled"

    @property
    def is_at_work(self) -> bool:
        """Whether a run of the task is under way and has a slot."""
        return self in {TaskStatus.PLANNING, TaskStatus.RUNNING}
