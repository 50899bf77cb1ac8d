"""What requests about flow files say."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Name, Optional
from domain.core.command import MAX_NAME
from domain.core.wire import Body
from domain.flows.person_commands import MAX_ANSWER_TEXT


class ChosenAgentBody(Body):
    """The agent that an agent type of a flow stands for."""

    agent: Name
    model: Name | None = None


class FlowRunBody(CommandBody):
    """A run to begin, or with a `conversation_id` one to go on with.

    `agents` says which agent an agent type stands for; `agent` stands for all types that name none.
    """

    working_folder: Folder | None = None
    conversation_id: Name | None = None
    resume_step_index: int | None = Field(default=None, ge=0)
    custom_title: Name | None = None
    agents: dict[str, ChosenAgentBody] = Field(default={}, max_length=100)
    agent: Name | None = None
    model: Name | None = None
    queue: bool = False
    """Whether it waits in the queue, with this priority, and after these threads, runs and entries."""
    after: list[Name] = Field(default=[], max_length=100)
    priority: int = Field(default=3, ge=1, le=5)


class FlowResumeBody(CommandBody):
    """Where a run goes on: at the step of that index, else where it stands still."""

    step_index: int | None = Field(default=None, ge=0)


class FlowAnswerBody(CommandBody):
    """An answer to what a step asks: one of its options, or a text where it has none.

    Without a `content_hash` the question as the journal shows it now is answered.
    """

    request_id: Name | None = None
    content_hash: str = Field(default="", max_length=64)
    option: str = Field(default="", max_length=MAX_NAME)
    text: Annotated[Optional, Field(max_length=MAX_ANSWER_TEXT)] = ""


class FlowCheckBody(Body):
    """A text that may become a flow file; `repository` is where files that it names would lie."""

    content: str
    name: Folder = "flow"
    repository: Folder | None = None


class FlowTrustBody(Body):
    """A yes to the commands of a repository's flow, as it was shown."""

    flow: Name
    repository: Folder
    content_hash: Name
