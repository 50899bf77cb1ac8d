"""What the parts of a run tell it; what people say is in domain/flows/person_commands.py."""

from domain.core.ids import SessionId, StreamId, TurnId
from domain.core.wire import Wire
from domain.flows.definition import FlowDefinition
from domain.flows.events import ChildEnd, ChosenAgent, ParentRun
from domain.verification.steps import StepResult


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
    recipe: str = ""
    parent: ParentRun | None = None


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


class NoteRun(Wire):
    """A run tells the one that began it how it stands, at that call; one that `is_gone` told nothing."""

    run_id: StreamId
    call: int
    end: ChildEnd
    reason: str = ""
    is_gone: bool = False


class LoseRun(Wire):
    """The id of a run that was to begin is taken, or the run is gone: another one is begun for it."""

    run_id: StreamId


class CallRun(Wire):
    """The run whose step began this one awaits its end, at that call; a new call has it go on."""

    call: int


class MarkParentNotified(Wire):
    """The run that awaits this one's end was told of it."""

    call: int


class TakeGrant(Wire):
    """The directory of the run that began this one is a turn's."""

    turn_id: TurnId
    number: int


class LoseParent(Wire):
    """The run whose directory this one works in is gone."""
