"""Events of planning beside the plans themselves: rivals, suggestions, critics."""

from typing import Literal

from domain.core.approvals import ApprovalRequest, Outcome
from domain.core.event import EventBody
from domain.core.ids import RequestId, SessionId


class PlannerAdded(EventBody):
    """One more planner makes a plan of the same goal; a planner may have invited it."""

    kind: Literal["planner_added"] = "planner_added"
    session_id: SessionId
    by: str = ""


class PlanSuperseded(EventBody):
    """A proposed plan is no longer asked about: another was approved, or a newer one stands for it."""

    kind: Literal["plan_superseded"] = "plan_superseded"
    revision: int
    request_id: RequestId
    by_revision: int


class PlanningSuggested(EventBody):
    """A chat's agent thinks that the work should be planned first; a person confirms."""

    kind: Literal["planning_suggested"] = "planning_suggested"
    session_id: SessionId
    reason: str
    goal: str
    request: ApprovalRequest


class SuggestionDecided(EventBody):
    """A person confirmed the planning that an agent suggested, or refused it."""

    kind: Literal["suggestion_decided"] = "suggestion_decided"
    outcome: Outcome


class CritiqueRequested(EventBody):
    """Another agent looks for what is wrong with a proposed plan."""

    kind: Literal["critique_requested"] = "critique_requested"
    revision: int
    session_id: SessionId
    by: str = ""


class PlanCritiqued(EventBody):
    """A critic's newest word on a plan; `failure` says why there is none."""

    kind: Literal["plan_critiqued"] = "plan_critiqued"
    revision: int
    session_id: SessionId
    turn: int
    text: str = ""
    failure: str = ""


class PlannerWrote(EventBody):
    """A session that may only look changed files; the changes were thrown away."""

    kind: Literal["planner_wrote"] = "planner_wrote"
    session_id: SessionId
    turn: int
    files: tuple[str, ...]


class PlanningCancelled(EventBody):
    """A person ended planning before a plan was approved; nothing that was proposed waits any more."""

    kind: Literal["planning_cancelled"] = "planning_cancelled"
    by: str = ""


class PlannerNudged(EventBody):
    """The planner ended its turn without a plan and is asked again."""

    kind: Literal["planner_nudged"] = "planner_nudged"
    session_id: SessionId


PlanningEvent = (
    PlannerAdded
    | PlanSuperseded
    | PlanningSuggested
    | SuggestionDecided
    | CritiqueRequested
    | PlanCritiqued
    | PlannerWrote
    | PlanningCancelled
    | PlannerNudged
)
