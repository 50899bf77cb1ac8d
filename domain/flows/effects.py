"""What a run must have under way; workflows/flow_effects.py carries it out."""

from datetime import datetime
from typing import ClassVar

from domain.agents.agents import Prompt
from domain.conversations.place import FlowPlace
from domain.core.ids import SessionId, StreamId, TurnId
from domain.core.moves import HostMove
from domain.core.wire import Wire
from domain.flows.state import Conversation


class FlowEffect(Wire):
    """Base of all effects; what has the same key is the same, and is started once.

    A resumable one goes on in the next run of the workflow, or is started again there without harm.
    """

    is_resumable: ClassVar[bool] = False
    is_brief: ClassVar[bool] = False

    @property
    def key(self) -> str:
        """What tells it from all others."""
        raise NotImplementedError


class RunTurn(FlowEffect):
    """Have a conversation take one message, and wait for the end of its turn."""

    is_resumable = True

    prompt_key: str
    conversation: Conversation
    prompt: Prompt
    place: FlowPlace

    @property
    def key(self) -> str:
        """The message."""
        return f"turn:{self.prompt_key}"


class RunCommand(FlowEffect):
    """Run a step's command in the run's directory, which it has been given, and give that back.

    Where its step is not under way any more, only that.
    """

    turn_id: TurnId
    grant: int

    @property
    def key(self) -> str:
        """The grant."""
        return f"command:{self.grant}"


class GiveUp(FlowEffect):
    """Stop a run whose step does not end in time."""

    is_resumable = True

    visit: int

    @property
    def key(self) -> str:
        """The step."""
        return f"give-up:{self.visit}"


class WaitUntil(FlowEffect):
    """Wait for a time; no longer than the step is under way."""

    is_resumable = True

    visit: int
    at: datetime

    @property
    def key(self) -> str:
        """The step."""
        return f"wait:{self.visit}"


class GrantDirectory(FlowEffect):
    """Tell a session that the directory is its turn's, and wait until it is free again."""

    is_resumable = True

    session_id: SessionId
    turn_id: TurnId
    number: int

    @property
    def key(self) -> str:
        """The grant."""
        return f"grant:{self.number}"


class BorrowDirectory(FlowEffect):
    """Ask the run that began this one for the directory, for one turn, and give it back after that."""

    is_resumable = True

    turn_id: TurnId

    @property
    def key(self) -> str:
        """The turn."""
        return f"borrow:{self.turn_id}"


class AwaitRun(FlowEffect):
    """Begin a run of another flow, or have it go on, and wait for its end; stop it on a stop."""

    is_resumable = True

    visit: int
    flow_name: str
    run_id: StreamId

    @property
    def key(self) -> str:
        """The run, for one visit of the step."""
        return f"run:{self.visit}:{self.run_id}"


class NotifyParent(FlowEffect):
    """Tell the run that began this one how it stands."""

    is_resumable = True

    call: int

    @property
    def key(self) -> str:
        """The call."""
        return f"tell:{self.call}"


class CloseConversation(FlowEffect):
    """End a conversation that was dropped, and its agent."""

    session_id: SessionId

    @property
    def key(self) -> str:
        """The conversation."""
        return f"close:{self.session_id}"


class RemoveRun(FlowEffect):
    """Remove all that the run holds, its events last."""

    is_resumable = True

    is_forced: bool

    @property
    def key(self) -> str:
        """There is one."""
        return "remove"


class SpreadFlowMove(FlowEffect):
    """Report a move to the conversations and child runs of a run."""

    is_resumable = True

    move: HostMove

    @property
    def key(self) -> str:
        """Which of the run's moves it is."""
        return f"move:{self.move.generation}"
