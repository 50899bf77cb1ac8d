"""What people say to sessions and do with them."""

from pydantic import Field

from domain.agents.agents import TurnResult
from domain.agents.offers import AgentOptions
from domain.core.attachments import Attachments
from domain.core.command import MAX_NAME, MAX_TEXT, Coded, Stopping
from domain.core.ids import SessionId
from domain.core.wire import Wire


class SendMessage(Coded):
    """Say something to a session; a busy one takes it after its turn.

    Its code does not bind the text, so a line for a terminal can be printed before it is written. It
    binds the session: one that was used is worth nothing in the next run of a task.
    """

    door = "send_message"

    text: str = Field(min_length=1, max_length=MAX_TEXT)
    session_id: SessionId | None = Field(default=None, max_length=MAX_NAME)
    attachments: Attachments = ()

    @property
    def content(self) -> str:
        """The session that is to hear it, where one is named."""
        return self.session_id or ""


class WithdrawMessage(Coded):
    """Take back a message that waits for its turn: the agent never gets it, its writer has it again."""

    door = "withdraw_message"

    message_id: str = Field(min_length=1, max_length=2 * MAX_NAME)

    @property
    def content(self) -> str:
        """The message."""
        return self.message_id


class StopTurn(Stopping):
    """Stop the running turn of the session or task that it is sent to, or only that turn; the session goes on."""

    door = "stop_turn"
    may_be_late = False

    turn_id: str = Field(default="", max_length=MAX_NAME, exclude_if=lambda turn: not turn)


class OpenSession(Coded):
    """Open one more chat session, in the thread's common folder or in a worktree of its own."""

    door = "open_session"

    has_own_worktree: bool = True

    agent: str | None = Field(default=None, max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)
    options: AgentOptions = {}


class Close(Stopping):
    """End a session."""

    door = "close"


class MergeSession(Coded):
    """Merge a chat session's newest changes into the thread's branch."""

    door = "merge_session"

    session_id: SessionId = Field(max_length=MAX_NAME)

    @property
    def content(self) -> str:
        """The session."""
        return self.session_id


class SkipWait(Coded):
    """Go on now with a turn that waits for a provider's limit to pass."""

    door = "skip_wait"
    may_be_late = False


class FreeTurn(Wire):
    """A spending limit has room again: a turn that waits for it goes on; told in the signal `free_turn`."""


class SwitchAgent(Coded):
    """Go on with another agent, model or options of it, from the next turn on."""

    door = "switch_agent"

    agent: str = Field(max_length=MAX_NAME)
    model: str | None = Field(default=None, max_length=MAX_NAME)
    options: AgentOptions = {}

    @property
    def chosen(self) -> tuple[str, str | None, AgentOptions]:
        """All that makes it another one."""
        return self.agent, self.model, self.options

    @property
    def content(self) -> str:
        """The agent."""
        return self.agent


class BeginTurn(Wire):
    """The next turn starts now."""


class EndTurn(Wire):
    """A turn gave its result."""

    result: TurnResult


class EndWait(Wire):
    """The time has come at which the provider takes turns again."""

    turn_id: str
