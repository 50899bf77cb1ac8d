"""The steps of a flow file as it spells them; nothing else is taken."""

from typing import Annotated, Any, Literal, get_args

from pydantic import Discriminator, Field, Tag

from domain.flows.review_shapes import (
    CodexReview,
    PrepareReviewBase,
    SubflowWave,
    ValidateReviewArtifacts,
)
from domain.flows.values import (
    Answer,
    FlowNames,
    Key,
    LabelledStep,
    Name,
    Options,
    Script,
    Shape,
    Text,
)

MAX_WAIT_SECONDS = 30 * 86_400
MAX_TIMEOUT_SECONDS = 86_400
TAG = "@"
"""Begins the tags that tell spellings apart, so that none looks like a field of a file."""


class Message(Shape):
    """What is said to an agent in one turn; its parts are lines of one text."""

    role: Literal["user"]
    content: Annotated[list[Text], Field(min_length=1)]


class ConversationStep(LabelledStep):
    """A step of one conversation: that of an agent type and an identifier in a run."""

    agent_type: Name
    identifier: Name


class Asking(LabelledStep):
    """A step with one condition; which fields that takes is in domain/flows/outline.py."""

    agent_type: Name = ""
    identifier: Name = ""
    question: Text = ""
    command: Text = ""
    timeout_seconds: Annotated[int, Field(ge=1, le=MAX_TIMEOUT_SECONDS)] = 600
    output_key: Key = ""
    equals: str | None = None


class OpenLoop(LabelledStep):
    """The flat spelling: the loop lasts to its `endLoop`."""

    type: Literal["startLoop"]
    max_iterations: Annotated[int, Field(ge=1)] | None = None


class Loop(OpenLoop):
    """The nested spelling."""

    steps: "Steps"


class EndLoop(LabelledStep):
    """Where a loop of the flat spelling ends."""

    type: Literal["endLoop"]


class Llm(ConversationStep):
    """Turns of an agent: each message is one, or the text of a file under `codeinfo_markdown/`."""

    type: Literal["llm"]
    messages: Annotated[list[Message], Field(min_length=1)] = []
    markdown_file: Name = ""
    inputs: Annotated[list[Key], Field(min_length=1)] = []
    continue_on_failure: bool = False


class AgentCommand(ConversationStep):
    """Turns of an agent, with the messages of a command file of that agent."""

    type: Literal["command"]
    command_name: Name
    continue_on_failure: bool = False


class Command(LabelledStep):
    """A command in the run's worktree; `outputKey` keeps what it printed."""

    type: Literal["command"]
    command: Text
    timeout_seconds: Annotated[int, Field(ge=1, le=MAX_TIMEOUT_SECONDS)] = 600
    output_key: Key = ""
    continue_on_failure: bool = False


class Break(Asking):
    """Leave the innermost loop, or the whole flow, where the answer is `breakOn`.

    `exitFlow` completes the flow, `haltFlow` stops it there. A `decisionScript` decides in the place of
    its agent. With `breakOnFailure` a condition that can't be told counts as `breakOn`. It counts as the
    other answer with `continueOnFailure` where it failed, with `continueOnInvalidResponse` where it gave
    no answer.
    """

    type: Literal["break"]
    break_on: Answer
    break_on_failure: bool = False
    continue_on_failure: bool = False
    continue_on_invalid_response: bool = False
    exit_flow: bool = False
    halt_flow: bool = False
    decision_script: Script = ""


class Continue(Asking):
    """Begin the innermost loop's next round where the answer is `continueOn`."""

    type: Literal["continue"]
    continue_on: Answer


class If(Asking):
    """Do `then` where the answer is yes, else `else`.

    A `condition` is a script that decides, or a question to the agent beside it.
    """

    type: Literal["if"]
    condition: Text = ""
    then: "Steps"
    otherwise: Annotated["Steps | None", Field(alias="else")] = None


class Reset(ConversationStep):
    """The next turn of this agent type and identifier begins a new conversation."""

    type: Literal["reset"]


class Reingest(LabelledStep):
    """Brings the search index of codeInfo2 up to date; here is none, so it is passed over."""

    type: Literal["reingest"]
    source_id: Name = ""
    target: Literal["working", "plan_scope", "current", "all"] | None = None


class Subflow(LabelledStep):
    """Run other flows side by side, and wait for all of them."""

    type: Literal["subflow"]
    flow_names: FlowNames


class Human(LabelledStep):
    """Ask a person, and keep the answer."""

    type: Literal["human"]
    question: Text
    options: Options = []
    output_key: Key = ""


class Wait(LabelledStep):
    """Let time pass."""

    type: Literal["wait"]
    seconds: Annotated[int, Field(ge=1, le=MAX_WAIT_SECONDS)]


def _tag(step: Any) -> str | None:
    """Tell how a step is spelled; what is none has been found before (domain/flows/outline.py)."""
    if not isinstance(step, dict):
        return None
    kind = step.get("type")  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    if kind == "startLoop" and "steps" in step:
        return "@nested"
    if kind == "command" and "commandName" in step:
        return "@agentCommand"
    return f"{TAG}{kind}"


Step = Annotated[
    Annotated[Loop, Tag("@nested")]
    | Annotated[OpenLoop, Tag("@startLoop")]
    | Annotated[EndLoop, Tag("@endLoop")]
    | Annotated[Llm, Tag("@llm")]
    | Annotated[AgentCommand, Tag("@agentCommand")]
    | Annotated[Command, Tag("@command")]
    | Annotated[Break, Tag("@break")]
    | Annotated[Continue, Tag("@continue")]
    | Annotated[If, Tag("@if")]
    | Annotated[Reset, Tag("@reset")]
    | Annotated[Subflow, Tag("@subflow")]
    | Annotated[SubflowWave, Tag("@subflowWave")]
    | Annotated[PrepareReviewBase, Tag("@prepareReviewBase")]
    | Annotated[CodexReview, Tag("@codexReview")]
    | Annotated[ValidateReviewArtifacts, Tag("@validateReviewArtifacts")]
    | Annotated[Reingest, Tag("@reingest")]
    | Annotated[Human, Tag("@human")]
    | Annotated[Wait, Tag("@wait")],
    Discriminator(_tag),
]
Steps = Annotated[list[Step], Field(min_length=1)]
SPELLINGS: dict[str, type[Shape]] = {
    each.__metadata__[0].tag: each.__origin__ for each in get_args(get_args(Step)[0])
}
"""The spellings of steps by their tags."""

Loop.model_rebuild()
If.model_rebuild()


class FlowFile(Shape):
    """A whole flow file."""

    description: Text = ""
    steps: Steps


class CommandItem(Shape):
    """One message of a command file, as text or by the name of a file that has it."""

    type: Literal["message"]
    role: Literal["user"]
    content: Annotated[list[Text], Field(min_length=1)] = []
    markdown_file: Name = ""


def _item_tag(item: Any) -> str:
    if isinstance(item, dict) and item.get("type") == "reingest":  # pyright: ignore[reportUnknownMemberType] (any JSON)
        return "@passed"
    return "@message"


class CommandFile(Shape):
    """A command file of an agent."""

    description: Annotated[Text, Field(alias="Description")]
    items: Annotated[
        list[
            Annotated[
                Annotated[CommandItem, Tag("@message")] | Annotated[Reingest, Tag("@passed")],
                Discriminator(_item_tag),
            ]
        ],
        Field(min_length=1),
    ]
