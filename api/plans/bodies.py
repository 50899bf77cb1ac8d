"""What requests about plans bring."""

from typing import Annotated, Any, Literal

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Goal, Name, Optional, Selections, Worded
from domain.core.autonomy import Autonomy
from domain.core.comments import MAX_COMMENT, MAX_COMMENT_PATH, MAX_COMMENTS, MAX_LINE
from domain.core.wire import Body


class NewTemplateBody(Body):
    """A template to write; without a repository it is one of the user's own."""

    name: Name
    repository: Folder | None = None


class TemplateTrustBody(Body):
    """A yes to what a template does without asking, as it was shown."""

    template: Name
    repository: Folder
    content_hash: Name


class AutoBody(CommandBody):
    """Whether plans start without asking."""

    is_on: bool


class PlanFilesBody(CommandBody):
    """Whether agents of the thread may keep plan files."""

    is_on: bool


class PlannerBody(Body):
    """An agent that plans, and its model."""

    agent: Name
    model: Name | None = None


class PlanBody(CommandBody):
    """A plan to ask for; without a goal it is the thread's. `rivals` plan the same beside it."""

    goal: Goal | None = None
    agent: Name | None = None
    model: Name | None = None
    rivals: list[PlannerBody] = Field(default=[], max_length=4)


class AgentBody(CommandBody):
    """An agent to ask; without one it is the thread's."""

    agent: Name | None = None
    model: Name | None = None


class EditBody(CommandBody):
    """A plan as a person wrote it, its handoff packet, or both; what is left out stays."""

    plan: dict[str, Any] | None = None
    handoff: Optional | None = None


class CombinationBody(CommandBody):
    """What a planner is to take over from another revision."""

    other: int = Field(ge=1)
    feedback: Worded


class AmendmentBody(CommandBody):
    """A change of the running plan: `why`, `base_version`, and `changes`."""

    amendment: dict[str, Any]


class AmendmentRequestBody(CommandBody):
    """What a planner of an amendment is asked for."""

    text: Goal
    agent: Name | None = None
    model: Name | None = None


class CommentBody(Body):
    """What is said of one line of a task's diff; `side` tells the file before the change from that after."""

    path: str = Field(min_length=1, max_length=MAX_COMMENT_PATH)
    line: int = Field(ge=1, le=MAX_LINE)
    side: Literal["old", "new"] = "new"
    text: Annotated[Worded, Field(max_length=MAX_COMMENT)]


class ApprovalBody(CommandBody):
    """A decision on an open request, bound to the hash of what was shown.

    `comments` go with the rejection of a task at its gate, beside the feedback or in its place.
    """

    request_id: Name
    content_hash: Name
    choice: Literal["approve", "reject"]
    feedback: Optional = ""
    comments: Annotated[list[CommentBody], Field(max_length=MAX_COMMENTS)] = []
    is_acknowledged: bool = False
    """The warnings of a plan were read; without it a plan whose dependencies were fixed waits."""
    autonomy: Annotated[Autonomy | None, Field(strict=False)] = None
    """Where the approved plan of a thread stops for a person; null is as plan and template say."""
    note: Annotated[Optional, Field(max_length=100)] = ""
    """How the person decided, where it was not by looking: `--yes` of the command line."""


class DecisionBody(CommandBody):
    """The labels of the options that were chosen; `content_hash` is that of the decision as shown."""

    selections: Selections
    content_hash: str = Field(default="", max_length=64)
