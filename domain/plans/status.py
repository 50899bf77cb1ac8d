"""The status of a plan."""

from enum import StrEnum


class PlanStatus(StrEnum):
    """Where a thread's plan stands."""

    IDLE = "idle"
    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"
    CANCELLED = "cancelled"

    @property
    def is_live(self) -> bool:
        """Whether the plan can go on."""
        return self in {PlanStatus.ACTIVE, PlanStatus.PAUSED}
