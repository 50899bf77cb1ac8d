"""The status of a task in its thread."""

from collections.abc import Iterable
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

    @property
    def is_over(self) -> bool:
        """Whether the newest run of the task is settled, in whatever way, or none can start."""
        waiting = {TaskStatus.PENDING, TaskStatus.NEEDS_DECISION}
        return not self.is_at_work and self not in waiting

    def is_moving(self, needed: Iterable["TaskStatus"]) -> bool:
        """Tell whether a task is at work or will start by itself, or with a decision.

        `needed` is where the tasks stand that it depends on.
        """
        if self is not TaskStatus.PENDING:
            return not self.is_over
        return all(status is TaskStatus.COMPLETED for status in needed)


class TaskFilter(StrEnum):
    """Which tasks are listed; those that wait for a person are also running or need a decision."""

    ALL = "all"
    WAITING = "waiting"
    PENDING = TaskStatus.PENDING
    NEEDS_DECISION = TaskStatus.NEEDS_DECISION
    PLANNING = TaskStatus.PLANNING
    RUNNING = TaskStatus.RUNNING
    COMPLETED = TaskStatus.COMPLETED
    FAILED = TaskStatus.FAILED
    BLOCKED = TaskStatus.BLOCKED
    CANCELLED = TaskStatus.CANCELLED
