"""Events of a flow run's own stream; the turns of its conversations are in theirs, beneath it."""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import field_serializer

from domain.agents.offers import AgentOptions
from domain.conversations.place import FlowPlace
from domain.core.event import EventBody
from domain.core.ids import SessionId, StreamId
from domain.core.wire import Wire
from domain.flows.definition import FlowDefinition, Slot
from domain.flows.program import LoopFrame
from domain.flows.requests import HumanRequest


class StepOutcome(StrEnum):
    """How a step ended; a condition `broke` or `continued` its loop, or said yes or no and went on."""

    DONE = "done"
    BROKE = "broke"
    CONTINUED = "continued"
    FAILED = "failed"
    NO_ANSWER = "no_answer"
    STOPPED = "stopped"


class ChosenAgent(Wire):
    """The agent that an agent type of a flow stands for in one run."""

    agent: str
    model: str | None = None
    options: AgentOptions = {}


class ParentRun(Wire):
    """The run whose step began this one; `call` is which visit of a step of it awaits this one's end.

    `owner` is the run whose worktree both work in: the first of all.
    """

    run_id: StreamId
    call: int
    owner: StreamId
    base: str
    branch: str
    host: str
    recipe: str = ""

    @property
    def place(self) -> dict[str, str]:
        """Where its child works: where it does itself."""
        return {name: getattr(self, name) for name in ("base", "branch", "host", "recipe")}


class FlowStarted(EventBody):
    """A run began, with the flow as its file had it then; `folder` is where its commands run.

    `command_id` is that of the request that began it: sent again it begins no other run. `recipe` names
    the text in the journal of the recipe that its worktree is set up by.
    """

    kind: Literal["flow_started"] = "flow_started"
    run_id: StreamId
    title: str
    definition: FlowDefinition
    agents: dict[str, ChosenAgent] = {}
    repository: str
    folder: str = ""
    base: str
    branch: str
    host: str
    by: str = ""
    command_id: str = ""
    recipe: str = ""
    parent: ParentRun | None = None

    @field_serializer("definition")
    def _compact(self, definition: FlowDefinition) -> dict[str, Any]:
        return definition.compact()


class FlowConversationOpened(EventBody):
    """A slot's conversation begins: all its later steps go on with it."""

    kind: Literal["flow_conversation_opened"] = "flow_conversation_opened"
    slot: Slot
    session_id: SessionId
    agent: str
    model: str | None = None


class FlowConversationDropped(EventBody):
    """A slot's conversation is over by a reset: its next step begins another one."""

    kind: Literal["flow_conversation_dropped"] = "flow_conversation_dropped"
    slot: Slot
    session_id: SessionId


class FlowConversationClosed(EventBody):
    """The agent of a conversation that was dropped is gone."""

    kind: Literal["flow_conversation_closed"] = "flow_conversation_closed"
    session_id: SessionId


class FlowStepStarted(EventBody):
    """A step began; `visit` counts the steps of all executions, so that each has its own."""

    kind: Literal["flow_step_started"] = "flow_step_started"
    visit: int
    step: str
    position: int
    loops: tuple[LoopFrame, ...] = ()
    place: FlowPlace
    due_at: datetime | None = None


class FlowTurnEnded(EventBody):
    """A message of a step was answered, and the step has another one."""

    kind: Literal["flow_turn_ended"] = "flow_turn_ended"
    visit: int
    message: int


class FlowQuestionRepeated(EventBody):
    """The agent's answer was neither yes nor no, and it is asked once more."""

    kind: Literal["flow_question_repeated"] = "flow_question_repeated"
    visit: int
    place: FlowPlace
    answer: str = ""


class FlowStepEnded(EventBody):
    """A step is over. `answer` is what a condition said, `output` the newest 4 KiB of what it gave."""

    kind: Literal["flow_step_ended"] = "flow_step_ended"
    visit: int
    place: FlowPlace
    outcome: StepOutcome
    answer: Literal["yes", "no", ""] = ""
    exit_code: int | None = None
    output_key: str = ""
    output: str = ""
    output_ref: str | None = None
    reason: str = ""


class FlowAsked(EventBody):
    """A step asks a person, and the run waits for the answer."""

    kind: Literal["flow_asked"] = "flow_asked"
    request: HumanRequest


class FlowAnswered(EventBody):
    """A person answered."""

    kind: Literal["flow_answered"] = "flow_answered"
    request_id: str
    answer: str
    by: str = ""


class FlowStopRequested(EventBody):
    """Somebody stops the run; what is under way is being ended."""

    kind: Literal["flow_stop_requested"] = "flow_stop_requested"
    by: str = ""


class FlowStopped(EventBody):
    """The run stands still, and can be resumed at the step where it does, or at another one."""

    kind: Literal["flow_stopped"] = "flow_stopped"
    step_index: int
    reason: str = ""


class FlowFailed(EventBody):
    """A step failed, and with it the run; it can be resumed there."""

    kind: Literal["flow_failed"] = "flow_failed"
    step_index: int
    reason: str


class FlowResumed(EventBody):
    """A person resumed the run, which goes on with the flow as it was at the start.

    With `has_definition_changed` the file says something else by now.
    """

    kind: Literal["flow_resumed"] = "flow_resumed"
    execution: int
    step_index: int
    position: int
    loops: tuple[LoopFrame, ...] = ()
    has_definition_changed: bool = False
    by: str = ""


class ChildEnd(StrEnum):
    """How a run ended, as far as the step goes that awaits it."""

    COMPLETED = "completed"
    FAILED = "failed"
    STOPPED = "stopped"


class FlowChildStarted(EventBody):
    """A step began a run of another flow, or with `is_again` has one go on that stood still."""

    kind: Literal["flow_child_started"] = "flow_child_started"
    visit: int
    place: FlowPlace
    flow_name: str
    run_id: StreamId
    is_again: bool = False


class FlowChildRenumbered(EventBody):
    """The id of a run that was to begin is taken, or the run is gone: another one is begun."""

    kind: Literal["flow_child_renumbered"] = "flow_child_renumbered"
    flow_name: str
    old: StreamId
    run_id: StreamId


class FlowChildEnded(EventBody):
    """A run that a step awaits has ended, or stands still."""

    kind: Literal["flow_child_ended"] = "flow_child_ended"
    visit: int
    place: FlowPlace
    flow_name: str
    run_id: StreamId
    end: ChildEnd
    reason: str = ""


class FlowCalled(EventBody):
    """The run whose step began this one awaits its end, at that visit of it."""

    kind: Literal["flow_called"] = "flow_called"
    call: int


class FlowParentNotified(EventBody):
    """The run that awaits this one's end was told of it."""

    kind: Literal["flow_parent_notified"] = "flow_parent_notified"
    call: int


class FlowCompleted(EventBody):
    """Every step was gone through."""

    kind: Literal["flow_completed"] = "flow_completed"


FlowEvent = (
    FlowStarted
    | FlowConversationOpened
    | FlowConversationDropped
    | FlowConversationClosed
    | FlowStepStarted
    | FlowTurnEnded
    | FlowQuestionRepeated
    | FlowStepEnded
    | FlowAsked
    | FlowAnswered
    | FlowStopRequested
    | FlowStopped
    | FlowFailed
    | FlowResumed
    | FlowChildStarted
    | FlowChildRenumbered
    | FlowChildEnded
    | FlowCalled
    | FlowParentNotified
    | FlowCompleted
)
