"""Bodies of requests about flows and their runs."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Name, Optional, PlacedBody
from domain.core.command import MAX_NAME
from domain.core.wire import Body
from domain.flows.person_commands import MAX_ANSWER_TEXT


class ChosenAgentBody(Body):
    """The agent for an agent type of a flow."""

    agent: Name
    model: Name | None = None


class FlowRunBody(PlacedBody):
    """A flow run to start, or with a `conversation_id` one to resume.

    `agents` has the agents for agent types; `agent` is for all other types. Without a `working_folder`
    it works in the folder that the engine was started in.
    """

    working_folder: Folder | None = None
    conversation_id: Name | None = None
    resume_step_index: int | None = Field(default=None, ge=0)
    custom_title: Name | None = None
    agents: dict[str, ChosenAgentBody] = Field(default={}, max_length=100)
    agent: Name | None = None
    model: Name | None = None
    queue: bool = False
    """Whether to queue it, with this priority, after these threads, flow runs and entries."""
    after: list[Name] = Field(default=[], max_length=100)
    priority: int = Field(default=3, ge=1, le=5)


class FlowResumeBody(CommandBody):
    """The step to resume at. Default: where the run stopped."""

    step_index: int | None = Field(default=None, ge=0)


class FlowAnswerBody(CommandBody):
    """An answer to the question of a step: one of its options, or a text if it has none.

    Without a `content_hash` this answers the question as it is now.
    """

    request_id: Name | None = None
    content_hash: str = Field(default="", max_length=64)
    option: str = Field(default="", max_length=MAX_NAME)
    text: Annotated[Optional, Field(max_length=MAX_ANSWER_TEXT)] = ""


class FlowCheckBody(Body):
    """A flow file to check; files that it names are looked for in `repository`."""

    content: str
    name: Folder = "flow"
    repository: Folder | None = None


class FlowTrustBody(Body):
    """The flow to trust, by the hash of what was reviewed."""

    flow: Name
    repository: Folder
    content_hash: Name
