"""Events of the decisions that a plan leaves to a person."""

from datetime import datetime
from typing import Literal

from domain.core.approvals import Decider
from domain.core.event import EventBody
from domain.plans.plan import DecisionOption


class DecisionAsked(EventBody):
    """A decision of the plan waits for a person."""

    kind: Literal["decision_asked"] = "decision_asked"
    plan_id: str
    decision_id: str
    header: str = ""
    question: str
    options: tuple[DecisionOption, ...]
    multi_select: bool = False


class DecisionMade(EventBody):
    """A person decided, or the plan's safe default was taken when the time ran out."""

    kind: Literal["decision_made"] = "decision_made"
    plan_id: str
    decision_id: str
    selections: tuple[str, ...]
    by: str = ""
    decider: Decider = Decider.PERSON


class DecisionTimed(EventBody):
    """A decision waits until then; `reminders` are when people are reminded of it."""

    kind: Literal["decision_timed"] = "decision_timed"
    plan_id: str
    decision_id: str
    due_at: datetime
    reminders: tuple[datetime, ...] = ()


class DecisionReminded(EventBody):
    """A decision still waits; `default` is what is taken when its time runs out, if anything is."""

    kind: Literal["decision_reminded"] = "decision_reminded"
    plan_id: str
    decision_id: str
    question: str
    due_at: datetime
    default: str | None = None


class DecisionExpired(EventBody):
    """A decision's time ran out, and the plan names no safe default: it goes on waiting."""

    kind: Literal["decision_expired"] = "decision_expired"
    plan_id: str
    decision_id: str
    question: str


DecisionEvent = DecisionAsked | DecisionMade | DecisionTimed | DecisionReminded | DecisionExpired
