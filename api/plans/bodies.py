"""Bodies of requests about plans."""

from typing import Annotated, Any, Literal

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Goal, Name, Optional, Selections, Worded
from domain.core.autonomy import Autonomy
from domain.core.comments import MAX_COMMENT, MAX_COMMENT_PATH, MAX_COMMENTS, MAX_LINE
from domain.core.wire import Body
from domain.plans.settings import MAX_OWN_TURNS


class NewTemplateBody(Body):
    """A template to create: in a repository, or by default in the user's configuration."""

    name: Name
    repository: Folder | None = None


class TemplateTrustBody(Body):
    """The template to trust, by the hash of what was reviewed."""

    template: Name
    repository: Folder
    content_hash: Name


class AutoBody(CommandBody):
    """Whether plans start without asking."""

    is_on: bool


class OwnTurnsBody(CommandBody):
    """How many more turns the thread's agent may take without a message."""

    turns: int = Field(ge=0, le=MAX_OWN_TURNS)


class PlanFilesBody(CommandBody):
    """Whether agents of the thread may write plan files."""

    is_on: bool


class PlannerBody(Body):
    """A planner: its agent and model."""

    agent: Name
    model: Name | None = None


class PlanBody(CommandBody):
    """A request for a plan, by default of the thread's goal; `rivals` propose plans for the same goal.

    `session_id` is the chat that goes on as the planner, by default the newest.
    """

    goal: Goal | None = None
    session_id: Name | None = None
    context: Optional | None = None
    """What planners are told that were not in the chat. Default: its last messages."""
    agent: Name | None = None
    model: Name | None = None
    rivals: list[PlannerBody] = Field(default=[], max_length=4)


class AgentBody(CommandBody):
    """An agent and its model; by default the thread's."""

    agent: Name | None = None
    model: Name | None = None


class AddedPlannerBody(AgentBody):
    """A further planner, and what it is told of the chat; by default its last messages."""

    context: Optional | None = None


class EditBody(CommandBody):
    """An edited plan, its handoff packet, or both; what is left out stays the same."""

    plan: dict[str, Any] | None = None
    handoff: Optional | None = None


class CombinationBody(CommandBody):
    """What to take over from another revision."""

    other: int = Field(ge=1)
    feedback: Worded


class AmendmentBody(CommandBody):
    """A change of the running plan: `why`, `base_version` and `changes`."""

    amendment: dict[str, Any]


class AmendmentRequestBody(CommandBody):
    """What a planner should change."""

    text: Goal
    agent: Name | None = None
    model: Name | None = None


class CommentBody(Body):
    """A comment on a line of a task's diff, or on several, from `first` to `line`; `side` is the old or the new file."""

    path: str = Field(min_length=1, max_length=MAX_COMMENT_PATH)
    line: int = Field(ge=1, le=MAX_LINE)
    first: Annotated[int, Field(ge=1, le=MAX_LINE)] | None = None
    side: Literal["old", "new"] = "new"
    text: Annotated[Worded, Field(max_length=MAX_COMMENT)]


class ApprovalBody(CommandBody):
    """An approval or rejection, bound to the hash of what was reviewed.

    `comments` on lines are for rejecting a task at its gate, with or without `feedback`.
    """

    request_id: Name
    content_hash: Name
    choice: Literal["approve", "reject"]
    feedback: Optional = ""
    comments: Annotated[list[CommentBody], Field(max_length=MAX_COMMENTS)] = []
    is_acknowledged: bool = False
    """Whether the plan's warnings were read; some must be before a plan is approved."""
    autonomy: Annotated[Autonomy | None, Field(strict=False)] = None
    """Where the plan stops for approval. Default: as the plan and template say."""
    note: Annotated[Optional, Field(max_length=100)] = ""
    """How the person decided without reviewing, like `--yes` of the command line."""


class DecisionBody(CommandBody):
    """The labels of the chosen options; `content_hash` is that of the reviewed decision."""

    selections: Selections
    content_hash: str = Field(default="", max_length=64)
