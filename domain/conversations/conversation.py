"""A conversation with an agent: who it is with, what that knows, and the messages that wait for it."""

from collections.abc import Collection, Iterable
from typing import Any

from domain.agents.agents import ContextFill, Prompt, SessionRole
from domain.agents.offers import AgentOptions
from domain.conversations.events import (
    AgentSwitched,
    ContextCompacted,
    ConversationOpened,
    MessageQueued,
    RoleChanged,
    TurnDelayed,
    TurnEnded,
    TurnSlept,
    TurnStarted,
)
from domain.conversations.place import FlowPlace
from domain.core.attachments import Attachment
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.core.wire import Wire

COMPACT = "compact"
"""The prompt name of a turn in which an agent compacts its context."""


class Message(Wire):
    """A message that waits for its turn; the id makes queueing it twice the same as once."""

    message_id: str
    prompt: Prompt
    place: FlowPlace | None = None

    @property
    def text(self) -> str:
        """What a person said, or an answer; empty for a prompt of Treadle's own."""
        return self.prompt.fields.get("text", "")

    @property
    def attachments(self) -> tuple[Attachment, ...]:
        """The files that go with it."""
        return self.prompt.attachments


class Conversation(Wire):
    """A conversation with one agent; a session has one, a run of a task several.

    One that goes on with a session of the thread has `turns_before` that were not of the run.
    `is_fresh` tells that its agent knows nothing of the turns before; `commit` is what a reviewer has
    before it. After the turn `reset_after` it began anew, with nothing to know of those before.
    """

    session_id: SessionId = SessionId("")
    role: SessionRole = SessionRole.CHAT
    agent: str = ""
    model: str | None = None
    options: AgentOptions = {}
    turns: int = 0
    turns_before: int = 0
    agent_session: str | None = None
    context: ContextFill | None = None
    compact_command: str = ""
    is_compacting: bool = False
    is_fresh: bool = False
    reset_after: int = 0
    messages: tuple[Message, ...] = ()
    commit: str | None = None

    @property
    def own_turns(self) -> int:
        """The turns without those that were not of the run."""
        return self.turns - self.turns_before


def open_conversation(event: ConversationOpened) -> Conversation:
    """Return a conversation as it begins."""
    return Conversation(
        session_id=event.session_id,
        role=event.role,
        agent=event.agent,
        model=event.model,
        options=event.options,
        commit=event.commit,
        agent_session=event.agent_session,
    )


def evolve(conversation: Conversation, event: EventBody) -> Conversation:
    """Return a conversation after an event of its own; others change nothing."""
    changes = _changes(conversation, event)
    return conversation.model_copy(update=changes) if changes else conversation


def _changes(conversation: Conversation, event: EventBody) -> dict[str, Any]:
    match event:
        case TurnStarted():
            return {"turns": event.number, "is_compacting": event.prompt_name == COMPACT}
        case TurnDelayed() | TurnSlept():
            return {"agent_session": event.agent_session or conversation.agent_session}
        case TurnEnded():
            return _after_turn(conversation, event)
        case AgentSwitched():
            return {
                "agent": event.agent,
                "model": event.model,
                "options": event.options,
                "compact_command": "",
                **_without_memory(is_fresh=conversation.turns > 0),
            }
        case ContextCompacted(command=""):
            return _without_memory(is_fresh=True)
        case RoleChanged():
            turns = max(conversation.turns, event.turns or 0)
            changed = {"role": event.role, "turns": turns}
            if not event.is_reset:
                return changed
            return {**changed, "reset_after": turns, **_without_memory(is_fresh=False)}
        case _:
            return {}


def _without_memory(*, is_fresh: bool) -> dict[str, Any]:
    return {"agent_session": None, "context": None, "is_fresh": is_fresh}


def _after_turn(conversation: Conversation, event: TurnEnded) -> dict[str, Any]:
    result = event.result
    # one that compacted and does not say how full it is now would compact for ever
    is_old = conversation.is_compacting and result.context == conversation.context
    return {
        "agent_session": result.agent_session or conversation.agent_session,
        "context": None if is_old else result.context or conversation.context,
        "compact_command": result.compact_command,
        "is_compacting": False,
        "is_fresh": False,
    }


def message_of(event: MessageQueued) -> Message:
    """Return the message that was queued."""
    return Message(message_id=event.message_id, prompt=event.prompt, place=event.place)


def without(messages: Iterable[Message], message_ids: Collection[str]) -> tuple[Message, ...]:
    """Return the messages without some of them."""
    return tuple(message for message in messages if message.message_id not in message_ids)
