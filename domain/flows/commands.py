"""What the parts of a run tell it; what people say is in domain/commands/flows.py."""

from domain.events.flows import ChosenAgent
from domain.flows.definition import FlowDefinition
from domain.ids import SessionId, StreamId
from domain.verification import StepResult
from domain.wire import Wire


class OpenFlow(Wire):
    """The repository was looked at: begin."""

    run_id: StreamId
    title: str
    definition: FlowDefinition
    agents: dict[str, ChosenAgent]
    repository: str
    folder: str
    base: str
    branch: str
    host: str
    by: str = ""
    command_id: str = ""


class EndCommand(Wire):
    """The command of a step has ended, or could not be run at all."""

    visit: int
    result: StepResult


class EndWait(Wire):
    """The time of a step that waits has come."""

    visit: int


class GiveUpStep(Wire):
    """What was told to stop has not ended in time: the run stands still without it."""

    visit: int


class LoseConversation(Wire):
    """A conversation's session is gone, or its id is taken: another one is opened for its slot."""

    session_id: SessionId


class MarkClosed(Wire):
    """The agent of a conversation that was dropped is gone."""

    session_id: SessionId
