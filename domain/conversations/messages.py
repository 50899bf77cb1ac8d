"""Messages that wait for their turn, and how one is taken back: the agent gets it, or its writer has it.

A message is withdrawn, once, or a turn has taken it, never both.
"""

from domain.agents.agents import Prompt
from domain.conversations.checks import check_open
from domain.conversations.commands import SendMessage, WithdrawMessage
from domain.conversations.events import MessageQueued, MessageWithdrawn
from domain.conversations.questions import rules as questions
from domain.conversations.registry import CONVERSATION_RULES
from domain.conversations.turn import TurnState
from domain.core.acting import told
from domain.core.attachments import Attachment
from domain.core.command import Answer
from domain.core.decisions import Decided, refuse_flood
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId, TaskId
from domain.core.wire import Wire

A_PERSON = "a person"
"""Whose words those are that came without a name."""


class WaitingMessage(Wire):
    """What a person said that no turn has taken yet."""

    message_id: str
    session_id: SessionId
    task_id: TaskId | None = None
    text: str
    attachments: tuple[Attachment, ...] = ()


def waiting_in(state: TurnState, task_id: TaskId | None = None) -> tuple[WaitingMessage, ...]:
    """Return the messages of people that wait, the oldest of each session first."""
    return tuple(
        WaitingMessage(
            message_id=message.message_id,
            session_id=session_id,
            task_id=task_id,
            text=message.text,
            attachments=message.attachments,
        )
        for session_id, messages in state.waiting.items()
        for message in messages
        if message.prompt.by
    )


def queue_message(command: SendMessage, state: TurnState, to: SessionId, words: str) -> Decided:
    """Queue what a person says to a session; `words` answer them.

    Raises:
        WrongStateError: Too much waits there already.
    """
    message_id = command.command_id or _next_id(state.seen)
    answer = Answer(message=words, data={"message_id": message_id})
    if message_id in state.seen:
        return Decided(answer=answer)
    waiting = (queue for name, queue in state.waiting.items() if state.addressee_of(name) == to)
    refuse_flood((message.text for messages in waiting for message in messages), command.text)
    prompt = Prompt(
        fields={"text": told(command.text, command.by)},
        attachments=command.attachments,
        by=command.by or A_PERSON,
    )
    queued = MessageQueued(session_id=to, message_id=message_id, prompt=prompt, by=command.by)
    return Decided((*withdraw_questions(state, to), queued), answer)


def _next_id(seen: tuple[str, ...]) -> str:
    """Return an id for a message that was sent without one: none of those that are remembered."""
    names = (name.removeprefix("message-") for name in seen if name.startswith("message-"))
    numbers = (int(name) for name in names if name.isdecimal())
    return f"message-{max([len(seen), *numbers]) + 1}"


def withdraw_questions(state: TurnState, to: SessionId) -> tuple[EventBody, ...]:
    """Return what a person's message to a session withdraws: what it asks while no turn runs."""
    if state.turn is not None:
        return ()
    asked = state.questions.open.values()
    left = [question for question in asked if state.addressee_of(question.session_id) == to]
    return questions.withdrawn(left, "the person wrote instead")


@CONVERSATION_RULES.handles
def withdraw_message(command: WithdrawMessage, state: TurnState) -> Decided:
    check_open(state)
    message_id = command.message_id
    answer = Answer(message="withdrawn", data={"message_id": message_id})
    if message_id in state.withdrawn:
        return Decided(answer=answer)
    waiting = {m.message_id: m for messages in state.waiting.values() for m in messages}
    if (message := waiting.get(message_id)) is not None:
        if not message.prompt.by:
            raise WrongStateError(
                f"{message_id[:80]!r} is Treadle's own word to the agent: it stays"
            )
        return Decided((MessageWithdrawn(message_id=message_id, by=command.by),), answer)
    if message_id in state.seen:
        raise WrongStateError(
            f"the agent has the message {message_id[:80]!r} already: stop its turn instead"
        )
    raise NotFoundError(
        f"no queued message {message_id[:80]!r}; list queued messages with `treadle withdraw --list`"
    )
