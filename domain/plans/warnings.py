"""Warnings of a plan, and what its approval binds to: the plan, its warnings, its handoff packet."""

from collections.abc import Iterable
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
    GIT = "git"
    ACTS_MORE = "acts_more"


class PlanWarning(Wire):
    """What a person is told of a plan at its approval."""

    kind: WarningKind
    text: str

    @property
    def needs_acknowledgement(self) -> bool:
        """Whether approving alone is not enough.

        Then the plan is not what its planner wrote, asks for less than the template does (fewer steps,
        or no person at a gate), or acts where the template does not: it opens a pull request.
        """
        return self.kind in _WEIGHTY


_WEIGHTY = frozenset(
    {
        WarningKind.REMOVED,
        WarningKind.CUT,
        WarningKind.STEPS_LEFT_OUT,
        WarningKind.NO_GATE,
        WarningKind.ACTS_MORE,
    }
)


def warn_of_agents(doubts: Iterable[str]) -> tuple[PlanWarning, ...]:
    """Return the warnings of what can't be used of what was proposed."""
    return tuple(PlanWarning(kind=WarningKind.UNKNOWN_AGENT, text=doubt) for doubt in doubts)


class _Shown(Wire):
    """All that a person sees when they approve a plan."""

    plan: Plan
    warnings: tuple[PlanWarning, ...]
    handoff: str


def plan_hash(plan: Plan, warnings: tuple[PlanWarning, ...], handoff: str) -> str:
    """Return what the approval of a plan binds to: the plan, its warnings and its handoff packet."""
    return content_hash(_Shown(plan=plan, warnings=warnings, handoff=handoff))
