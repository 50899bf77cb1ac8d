"""The bodies that requests bring."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from domain.agents.offers import AgentOptions
from domain.conversations.questions.question import Remember
from domain.core.attachments import LIMIT_BYTES, MAX_ATTACHMENTS, Attachment
from domain.core.autonomy import Freedom
from domain.core.command import MAX_GOAL, MAX_NAME, MAX_TEXT
from domain.core.comments import MAX_COMMENT, MAX_COMMENT_PATH, MAX_COMMENTS, MAX_LINE
from domain.core.ids import CommandId
from domain.core.wire import Body
from domain.plans.settings import PlannerOverrides, PlannerSettings, Steps
from domain.tasks.running_commands import ConflictChoice

ENCODED_LIMIT = (LIMIT_BYTES + 2) // 3 * 4
"""Characters of a whole attachment in base64."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_BLANK = re.compile(r"[\s\u200b-\u200f\u2060\ufeff]*")


def _clean(text: str) -> str:
    if _CONTROL.search(text):
        raise PydanticCustomError("control_character", "must not contain control characters")
    return text


def _worded(text: str) -> str:
    if _BLANK.fullmatch(text):
        raise PydanticCustomError("empty", "must say something")
    return text


def _on_one_line(text: str) -> str:
    if "\n" in text or "\r" in text:
        raise PydanticCustomError("control_character", "must be on one line")
    return _clean(text)


Optional = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_clean)]
"""Text that may be empty."""

Worded = Annotated[Optional, AfterValidator(_worded)]
"""Text that says something."""

Goal = Annotated[Worded, Field(max_length=MAX_GOAL)]

Name = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_clean)]

Folder = Annotated[str, Field(min_length=1, max_length=4096), AfterValidator(_on_one_line)]
"""A folder on the worker's machine."""


class EmptyBody(Body):
    """Nothing to say: `{}`."""


class CommandBody(Body):
    """A command without further words; sending the same `command_id` again changes nothing."""

    command_id: CommandId = Field(default=CommandId(""), max_length=200)


class ConflictBody(CommandBody):
    """How a conflict is resolved; `content_hash` is that of the conflict as it was shown."""

    how: Annotated[ConflictChoice, Field(strict=False)]
    content_hash: str = Field(default="", max_length=64)


class ThreadBody(CommandBody):
    """A thread to open."""

    repository: Folder
    goal: Goal
    agent: Name | None = None
    model: Name | None = None
    options: AgentOptions = {}
    template: Name | None = None
    is_planned: bool = True
    plan_files: bool | None = None
    """Whether its agents may keep plan files; as `TREADLE_PLAN_FILES` says unless given."""
    max_parallel_tasks: Steps | None = None
    """The same as `max_parallel_steps` of the planner."""
    planner: PlannerOverrides = PlannerOverrides()

    def planner_over(self, settings: PlannerSettings) -> PlannerSettings:
        """Return how plans run in this thread."""
        planner = self.planner.over(settings)
        if self.max_parallel_tasks is None:
            return planner
        return planner.model_copy(update={"max_parallel_steps": self.max_parallel_tasks})


class TopicBody(CommandBody):
    """A topic for a thread."""

    topic: Annotated[Worded, Field(max_length=200), AfterValidator(_on_one_line)]


class DeletionBody(CommandBody):
    """A thread to remove; forced, what runs is ended and branches go whose work is nowhere else."""

    is_forced: bool = False


class TrustBody(Body):
    """A yes to the git metadata of a repository as it was shown."""

    repository: Folder
    content_hash: Name


class NewTemplateBody(Body):
    """A template to write; without a repository it is one of the user's own."""

    name: Name
    repository: Folder | None = None


class TemplateTrustBody(Body):
    """A yes to what a template does without asking, as it was shown."""

    template: Name
    repository: Folder
    content_hash: Name


class MessageBody(CommandBody):
    """A person's message; without a session the latest chat gets it."""

    text: Worded
    session_id: Name | None = None
    attachments: Annotated[list[Attachment], Field(max_length=MAX_ATTACHMENTS)] = []
    """What `POST /v1/attachments` answered."""


class TakeBackBody(CommandBody):
    """Which waiting message its writer wants back."""

    message_id: Annotated[str, Field(min_length=1, max_length=600), AfterValidator(_clean)]


class AttachmentBody(CommandBody):
    """A file for messages; its type is told from its content."""

    name: Annotated[Name, Field(pattern=r"^[^/\\]+$")]
    content: Annotated[str, Field(max_length=ENCODED_LIMIT)]


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
    """The warnings of a plan were read; without it a plan whose dependencies were mended waits."""
    freedom: Annotated[Freedom | None, Field(strict=False)] = None
    """Where the approved plan of a thread stops for a person; null is as plan and template say."""
    note: Annotated[Optional, Field(max_length=100)] = ""
    """How the person decided, where it was not by looking: `--yes` of the command line."""


Selections = (
    Annotated[str, Field(max_length=MAX_NAME)]
    | Annotated[list[Annotated[str, Field(max_length=MAX_NAME)]], Field(max_length=100)]
)
"""Labels of options: a list of them, or one text like `auth,logging`."""


class DecisionBody(CommandBody):
    """The labels of the options that were chosen; `content_hash` is that of the decision as shown."""

    selections: Selections
    content_hash: str = Field(default="", max_length=64)


class AnswerBody(CommandBody):
    """An answer to an agent's question: `option_id` of a permission, or `selections` of a decision.

    `remember` has a permission's answer count for the session, or for the whole thread. `content_hash`
    is that of the question as it was shown: another one is refused with 409.
    """

    option_id: str | None = Field(default=None, max_length=MAX_NAME)
    selections: Selections | None = None
    remember: Annotated[Remember, Field(strict=False)] = Remember.ONCE
    content_hash: str = Field(default="", max_length=64)


class SwitchBody(CommandBody):
    """Another agent for a session or a task, or another model or options of the same."""

    agent: Name
    model: Name | None = None
    options: AgentOptions = {}


class SessionBody(CommandBody):
    """A chat session to open; without an agent it is the thread's.

    Without a worktree of its own it works in the directory that the thread's chats share, in turn.
    """

    agent: Name | None = None
    model: Name | None = None
    options: AgentOptions = {}
    has_own_worktree: bool = True
