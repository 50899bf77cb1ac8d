"""The sessions of a thread, and what it has to tell them, as its state keeps them."""

from pydantic import Field

from domain.agents.agents import Prompt, SessionRole
from domain.agents.offers import AgentOptions
from domain.core.ids import SessionId
from domain.core.wire import Wire


class ThreadSession(Wire):
    """A session of the thread."""

    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    is_archived: bool = False
    command_id: str = ""
    has_own_worktree: bool = True
    opened_as: SessionRole | None = None
    """The role that it had at first, where it can have changed."""

    agent_session: str | None = Field(default=None, exclude_if=lambda session: session is None)
    """The agent's own session that it began with."""

    replaced_by: SessionId | None = None
    """The session that took its place when it had ended by itself."""

    @property
    def is_chat(self) -> bool:
        """Whether it is a chat, also while it plans."""
        return (self.opened_as or self.role) is SessionRole.CHAT

    @property
    def is_planner(self) -> bool:
        """Whether it plans now."""
        return self.role is SessionRole.PLANNER and not self.is_archived


class QueuedPrompt(Wire):
    """Something to tell a session: a prompt, its new role, or both; neither means: close."""

    key: str
    session_id: SessionId
    prompt: Prompt | None = None
    role: SessionRole | None = None
    is_reset: bool = False
    turns: int | None = None
