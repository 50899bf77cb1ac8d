"""What a thread knows of its planning: who plans, who reviews, what was suggested."""

from collections.abc import Mapping

from domain.core.approvals import ApprovalRequest
from domain.core.ids import SessionId
from domain.core.wire import Wire
from domain.plans.plan import Plan
from domain.plans.warnings import PlanWarning


class Critique(Wire):
    """A critic's word on a plan; `text` is empty while it works, `failure` says why there is none."""

    session_id: SessionId
    turn: int = 0
    text: str = ""
    failure: str = ""


class ProposedPlan(Wire):
    """One revision of a plan; `by` is the person who wrote it, empty for the planner itself."""

    revision: int
    session_id: SessionId
    plan: Plan
    warnings: tuple[PlanWarning, ...] = ()
    handoff: str = ""
    by: str = ""
    request: ApprovalRequest
    critiques: tuple[Critique, ...] = ()
    superseded_by: int | None = None
    """The revision that took its place, or was approved instead."""

    def is_among(self, requests: Mapping[str, ApprovalRequest]) -> bool:
        """Tell whether it is asked about."""
        return self.request.request_id in requests

    def without_texts(self) -> "ProposedPlan":
        """Return what stays of a revision that is not asked about any more: that it was."""
        empty = {"plan": Plan(), "warnings": (), "handoff": "", "critiques": ()}
        return self.model_copy(update=empty)

    def without_tasks(self) -> "ProposedPlan":
        """Return the revision that was approved, once its tasks are the thread's."""
        return self.model_copy(update={"plan": self.plan.model_copy(update={"tasks": ()})})

    def with_critique(self, critique: Critique) -> "ProposedPlan":
        """Return the plan with a critic's newest word in place of its earlier one."""
        others = (c for c in self.critiques if c.session_id != critique.session_id)
        return self.model_copy(update={"critiques": (*others, critique)})


class Planner(Wire):
    """A planner of the goal.

    `is_answered` when it proposed a plan since it was last told something, `refusal` is why its newest
    proposal was not taken.
    """

    nudges: int = 0
    failure: str = ""
    refusal: str = ""
    is_answered: bool = False


class Suggestion(Wire):
    """Planning that an agent suggested."""

    session_id: SessionId
    goal: str
    request: ApprovalRequest


class Planning(Wire):
    """Planners in the order they were asked; critics with the revision that they look at.

    `flagged` holds the newest turn in which a session that may only look changed files.
    """

    planners: dict[SessionId, Planner] = {}
    critics: dict[SessionId, int] = {}
    flagged: dict[SessionId, int] = {}
    suggested: int = 0
    suggestion: Suggestion | None = None

    def with_planner(self, session_id: SessionId, **changes: object) -> "Planning":
        """Return planning with one planner changed; a session that is none changes nothing."""
        if session_id not in self.planners:
            return self
        changed = self.planners[session_id].model_copy(update=changes)
        return self.model_copy(update={"planners": {**self.planners, session_id: changed}})

    def asked(self, session_id: SessionId) -> "Planning":
        """Return planning after a session was told something."""
        return self.with_planner(session_id, failure="", is_answered=False)

    @property
    def failure(self) -> str:
        """Why no planner will propose anything, empty while one may."""
        failures = [planner.failure for planner in self.planners.values()]
        return failures[0] if failures and all(failures) else ""
