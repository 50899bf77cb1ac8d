"""What people ask of planners."""

from typing import Any

from pydantic import Field

from domain.core.command import MAX_GOAL, MAX_NAME, MAX_TEXT, Coded
from domain.core.ids import SessionId
from domain.core.wire import Wire


class PlannerChoice(Wire):
    """An agent that plans, and its model."""

    agent: str = Field(max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)


class RequestPlan(Coded):
    """Ask for a plan, of the thread's goal or of a new one; `rivals` plan the same beside it.

    The chat with the `session_id`, by default the newest, goes on as the planner unless another agent
    or model is named. `context` is what the other planners are told of the talk.
    """

    door = "request_plan"

    rivals: tuple[PlannerChoice, ...] = Field(default=(), max_length=4)

    goal: str | None = Field(default=None, max_length=MAX_GOAL)
    session_id: SessionId | None = Field(default=None, max_length=MAX_NAME)
    context: str = Field(default="", max_length=MAX_TEXT)
    agent: str | None = Field(default=None, max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)


class AddPlanner(Coded):
    """Have one more planner make a plan of the same goal, beside the others; `context` is the talk."""

    door = "add_planner"

    context: str = Field(default="", max_length=MAX_TEXT)

    agent: str | None = Field(default=None, max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)


class EditPlan(Coded):
    """Change a proposed plan or its handoff packet by hand; that makes a revision of its own.

    `plan` is a whole plan, as a planner proposes it; what is None stays as it is. `doubts` are its
    agents that can't be used here.
    """

    door = "edit_plan"

    revision: int = Field(ge=1)
    plan: Any = None
    doubts: tuple[str, ...] = ()
    handoff: str | None = Field(default=None, max_length=MAX_TEXT)

    @property
    def content(self) -> str:
        """The revision that is changed."""
        return str(self.revision)


class CombinePlans(Coded):
    """Ask the planner of a revision to take over parts of another one."""

    door = "combine_plans"

    revision: int = Field(ge=1)
    other: int = Field(ge=1)
    feedback: str = Field(min_length=1, max_length=MAX_TEXT)


class RequestCritique(Coded):
    """Have another agent look for what is wrong with a proposed plan."""

    door = "request_critique"

    revision: int = Field(ge=1)
    agent: str | None = Field(default=None, max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)


class SetAuto(Coded):
    """Start plans as soon as they are proposed, or ask first."""

    door = "set_auto"

    is_on: bool

    @property
    def content(self) -> str:
        """On or off."""
        return "on" if self.is_on else "off"


class RequestAmendment(Coded):
    """Have a planner work out how the running plan should change."""

    door = "request_amendment"

    text: str = Field(min_length=1, max_length=MAX_GOAL)
    agent: str | None = Field(default=None, max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)


class Amend(Coded):
    """Propose a change of the running plan oneself; it is shown and approved like an agent's.

    `amendment` has the shape of domain/threads/amending/amendment.py. `doubts` are what in it can't be
    used here.
    """

    door = "amend"

    amendment: Any
    doubts: tuple[str, ...] = ()
