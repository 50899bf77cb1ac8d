"""What a conversation reports to the workflow that owns it."""

from domain.agents.agents import StopReason
from domain.conversations.questions.question import Rule
from domain.core.ids import SessionId
from domain.core.wire import Wire
from domain.core.workspaces import Snapshot


class EndSessionTurn(Wire):
    """A turn of a planner, a reviewer or a flow is over: what it said, and which files it threw away.

    A planner that proposed nothing is asked again. `prompt_key` names a flow's message, that of a turn
    that the thread's agent took of its own, or the prompt to resolve a conflict of a chat: then
    `snapshot` is what the turn made of it. `doubts` are those about a plan in its last message.
    """

    session_id: SessionId
    turn: int
    prompt_key: str = ""
    is_stopped: bool = False
    stop_reason: StopReason = StopReason.END_TURN
    failure: str | None = None
    text: str = ""
    discarded: tuple[str, ...] = ()
    snapshot: Snapshot | None = None
    doubts: tuple[str, ...] = ()

    @property
    def turn_key(self) -> str:
        """The key of the one prompt that may follow from it."""
        return f"{self.session_id}/nudge-{self.turn}"


class NoteRules(Wire):
    """A session or task tells of the answers that count in the whole thread."""

    rules: tuple[Rule, ...] = ()
