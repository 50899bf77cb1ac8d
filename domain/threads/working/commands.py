"""What a session tells its thread when the plan's work takes it over."""

from domain.agents.offers import AgentOptions
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.ids import SessionId
from domain.core.wire import Wire


class HandOver(Wire):
    """The session takes no turn of its own any more; one that `is_gone` can't tell more.

    `messages` are what people said to it and its agent has not read: the work does.
    """

    session_id: SessionId
    turns: int = 0
    agent: str = ""
    model: str | None = None
    options: AgentOptions = {}
    is_gone: bool = False
    messages: tuple[QueuePrompt, ...] = ()


class ReturnMessages(Wire):
    """The work ended before it read these messages: they are for the session now."""

    messages: tuple[QueuePrompt, ...]
