"""A person wants back what they said to a busy session."""

from domain.conversations.commands import TakeBack
from domain.conversations.messages import Queue, WaitingMessage, take_back
from domain.conversations.sessions.dispatch import handles
from domain.conversations.sessions.state import SessionState
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError


def waiting_in(state: SessionState) -> tuple[WaitingMessage, ...]:
    """Return the messages of people that wait, the oldest first."""
    return tuple(
        WaitingMessage(
            message_id=queued.message_id,
            session_id=state.session_id,
            text=queued.text,
            attachments=queued.attachments,
        )
        for queued in state.conversation.messages
        if queued.prompt.by
    )


@handles
def _take_back(command: TakeBack, state: SessionState) -> Decided:
    if state.is_closed:
        raise WrongStateError(
            f"session {state.session_id!r} is closed: nothing waits in it any more"
        )
    queue = Queue(
        waiting=tuple(message.message_id for message in waiting_in(state)),
        own=tuple(
            queued.message_id for queued in state.conversation.messages if not queued.prompt.by
        ),
        withdrawn=state.withdrawn,
        seen=state.seen,
    )
    return take_back(command, queue)
