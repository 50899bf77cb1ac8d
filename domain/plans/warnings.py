"""Warnings of a plan, and what its approval binds to: the plan, its warnings, its handoff packet."""

from enum import StrEnum

from domain.core.approvals import content_hash
from domain.core.wire import Wire
from domain.plans.plan import Plan


class WarningKind(StrEnum):
    """Why a person looks twice at a plan before they approve it."""

    REMOVED = "removed"
    NO_GATE = "no_gate"
    STEPS_LEFT_OUT = "steps_left_out"
    CUT = "cut"
    UNKNOWN_AGENT = "unknown_agent"


class PlanWarning(Wire):
    """What a person is told of a plan at its approval."""

    kind: WarningKind
    text: str

    @property
    def needs_acknowledgement(self) -> bool:
        """Whether approving alone is not enough.

        Then the plan is not what its planner wrote, or asks for less than the template does: fewer
        steps, or no person at a gate.
        """
        return self.kind in _WEIGHTY


_WEIGHTY = frozenset(
    {WarningKind.REMOVED, WarningKind.CUT, WarningKind.STEPS_LEFT_OUT, WarningKind.NO_GATE}
)


class _Shown(Wire):
    """All that a person sees when they approve a plan."""

    plan: Plan
    warnings: tuple[PlanWarning, ...]
    handoff: str


def plan_hash(plan: Plan, warnings: tuple[PlanWarning, ...], handoff: str) -> str:
    """Return what the approval of a plan binds to: the plan, its warnings and its handoff packet."""
    return content_hash(_Shown(plan=plan, warnings=warnings, handoff=handoff))
