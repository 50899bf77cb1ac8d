"""How freely an approved plan runs, as the person who approved it said."""

from enum import StrEnum


class Autonomy(StrEnum):
    """Where a plan stops for a person: at the plan of every task and the gates, at the gates, or nowhere.

    Only a person's approval of a thread's plan says it, and it counts for that plan. Without it the
    plan, the settings and the template say where it stops.
    """

    EACH_PLAN = "each_plan"
    GATES = "gates"
    AUTO = "auto"

    @property
    def spoken(self) -> str:
        """What people read."""
        return _SPOKEN[self]


_SPOKEN = {
    Autonomy.EACH_PLAN: "asks at each task's plan",
    Autonomy.GATES: "asks at gates",
    Autonomy.AUTO: "auto",
}
