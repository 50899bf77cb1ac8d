"""Events of a session's stream: prompts, turns, and every update the agent sends (ACP)."""

from typing import Any, Literal

from domain.agents import Prompt, SessionRole, TurnResult
from domain.ids import SessionId, TurnId
from domain.wire import Wire


class ConversationOpened(Wire):
    """A session began."""

    kind: Literal["conversation_opened"] = "conversation_opened"
    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None


class MessageQueued(Wire):
    """A message, of a person or of Treadle itself, waits for its turn."""

    kind: Literal["message_queued"] = "message_queued"
    message_id: str
    prompt: Prompt
    by: str = ""


class TurnStarted(Wire):
    """A turn began; `prompt_name` is the prompt file it was made from."""

    kind: Literal["turn_started"] = "turn_started"
    turn_id: TurnId
    number: int
    prompt_name: str
    message_id: str | None = None


class PromptSent(Wire):
    """The text that the agent got."""

    kind: Literal["prompt_sent"] = "prompt_sent"
    turn_id: TurnId
    text: str


class AgentUpdate(Wire):
    """One `session/update` of the agent, as it came; neighbouring text chunks are joined."""

    kind: Literal["agent_update"] = "agent_update"
    turn_id: TurnId
    update: dict[str, Any]


class AgentSessionOpened(Wire):
    """The agent's own session is there, new or resumed; known before the first prompt is sent."""

    kind: Literal["agent_session_opened"] = "agent_session_opened"
    turn_id: TurnId
    agent_session: str
    is_resumed: bool = False
    version: str = ""


class AgentNotice(Wire):
    """Something about the agent's process: started, resumed, exited, a frame dropped."""

    kind: Literal["agent_notice"] = "agent_notice"
    turn_id: TurnId
    message: str


class ToolCalled(Wire):
    """The agent called a tool of ours; a refusal's answer starts with its error type."""

    kind: Literal["tool_called"] = "tool_called"
    turn_id: TurnId | None = None
    tool: str
    arguments: dict[str, Any] = {}
    is_refused: bool = False
    answer: str = ""


class TurnEnded(Wire):
    """A turn ended; success is decided elsewhere."""

    kind: Literal["turn_ended"] = "turn_ended"
    result: TurnResult


class TurnStopRequested(Wire):
    """A person stopped the running turn; the session goes on."""

    kind: Literal["turn_stop_requested"] = "turn_stop_requested"
    turn_id: TurnId
    by: str = ""


class ConversationClosed(Wire):
    """The session takes no more messages."""

    kind: Literal["conversation_closed"] = "conversation_closed"
    reason: str = ""


SessionEvent = (
    ConversationOpened
    | MessageQueued
    | TurnStarted
    | PromptSent
    | AgentUpdate
    | AgentSessionOpened
    | AgentNotice
    | ToolCalled
    | TurnEnded
    | TurnStopRequested
    | ConversationClosed
)
