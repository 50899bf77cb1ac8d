"""Messages that wait for their turn, and how one is taken back: the agent gets it, or its writer has it.

Whoever keeps the queue decides: a message is withdrawn, once, or a turn has taken it, never both.
"""

from collections.abc import Collection

from domain.conversations.commands import TakeBack
from domain.conversations.events import MessageWithdrawn
from domain.core.attachments import Attachment
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.ids import SessionId, TaskId
from domain.core.wire import Wire

A_PERSON = "a person"
"""Whose words those are that came without a name."""

ANSWER = "answer/"
"""How the id of a message begins that tells an agent a decision, and not a person's words."""

MAX_WITHDRAWN = 100


class WaitingMessage(Wire):
    """What a person said that no turn has taken yet."""

    message_id: str
    session_id: SessionId
    task_id: TaskId | None = None
    text: str
    attachments: tuple[Attachment, ...] = ()


class Queue(Wire):
    """The ids of messages: that wait, that were said in Treadle's name, taken back, ever queued."""

    waiting: tuple[str, ...]
    own: tuple[str, ...] = ()
    withdrawn: tuple[str, ...]
    seen: tuple[str, ...]


def take_back(command: TakeBack, queue: Queue) -> Decided:
    """Return what happens when a person wants a message back.

    Raises:
        WrongStateError: The agent has it, or it is Treadle's own.
        NotFoundError: There is none with that id.
    """
    message_id = command.message_id
    answer = Answer(message="withdrawn", data={"message_id": message_id})
    if message_id in queue.withdrawn:
        return Decided(answer=answer)
    if message_id in queue.own:
        raise WrongStateError(f"{message_id[:80]!r} is Treadle's own word to the agent: it stays")
    if message_id in queue.waiting:
        return Decided((MessageWithdrawn(message_id=message_id, by=command.by),), answer)
    if message_id in queue.seen:
        raise WrongStateError(
            f"the agent has the message {message_id[:80]!r} already: stop its turn instead"
        )
    raise NotFoundError(
        f"no queued message {message_id[:80]!r}; list queued messages with `treadle withdraw --list`"
    )


def with_withdrawn(withdrawn: Collection[str], message_id: str) -> tuple[str, ...]:
    """Return the ids of messages that were taken back, with one more; the newest are kept."""
    return (*withdrawn, message_id)[-MAX_WITHDRAWN:]
