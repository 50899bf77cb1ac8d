"""What a thread learns of a session that takes nothing more."""

from domain.conversations.sessions.rules import QueuePrompt
from domain.core.ids import SessionId
from domain.core.wire import Wire


class LoseSession(Wire):
    """A session's workflow has ended, and not because its thread said so.

    `messages` are those that people had said to it and its agent has not read.
    """

    session_id: SessionId
    reason: str
    messages: tuple[QueuePrompt, ...] = ()
