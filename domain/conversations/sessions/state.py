"""What is known of a session, and how each event changes it."""

from functools import singledispatch
from typing import Any

from domain.agents.agents import TurnResult
from domain.agents.limits.budgets import Budget
from domain.conversations import conversation as conversations
from domain.conversations import turn as turns
from domain.conversations.conversation import Conversation, Message, message_of, open_conversation
from domain.conversations.events import (
    AgentSwitched,
    ContextCompacted,
    ConversationClosed,
    ConversationOpened,
    MessageQueued,
    MessageWithdrawn,
    TurnEnded,
    TurnStarted,
)
from domain.conversations.messages import with_withdrawn
from domain.conversations.questions.state import folded
from domain.conversations.turn import TurnState
from domain.core.event import EventBody
from domain.core.ids import SessionId

MAX_REMEMBERED = 5
MAX_REMEMBERED_TEXT = 4_000

MAX_FILES = 500

MAX_SEEN = 1_000
"""Keys of messages that are known when they come again: a repeated one comes soon, or never."""


class SessionState(TurnState):
    """A session: one conversation, whose messages wait in it.

    `remembered` are the last messages, for an agent that knows nothing of them. `owner_key` is the id
    of the flow's message that was taken last: by it the run is told how that ended. `plan_files_turn`
    is the first turn with plan files, or the first one without any more.
    """

    conversation: Conversation = Conversation()
    seen: tuple[str, ...] = ()
    remembered: tuple[str, ...] = ()
    budget: Budget = Budget()
    last: TurnResult | None = None
    files: tuple[str, ...] = ()
    has_plan_files: bool = False
    plan_files_turn: int = 0
    is_closed: bool = False
    owner_key: str = ""

    @property
    def session_id(self) -> SessionId:
        """The session's id, empty before it has begun."""
        return self.conversation.session_id

    @property
    def running(self) -> Message | None:
        """The message of the running turn, None where the agent compacts its context."""
        return self.turn.messages[0] if self.turn and self.turn.messages else None


def evolve(state: SessionState, event: EventBody) -> SessionState:
    """Return a session after one event; events of other streams change nothing."""
    own = _evolve(event, state)
    changes: dict[str, Any] = {
        "conversation": conversations.evolve(own.conversation, event),
        "questions": folded(own.questions, event),
    }
    if not isinstance(event, TurnStarted):
        changes["turn"] = turns.evolve(own.turn, event)
    changed = {name: new for name, new in changes.items() if new is not getattr(own, name)}
    return own.model_copy(update=changed) if changed else own


@singledispatch
def _evolve(event: EventBody, state: SessionState) -> SessionState:
    del event
    return state


@_evolve.register
def _apply_conversation_opened(event: ConversationOpened, state: SessionState) -> SessionState:
    opened = {"conversation": open_conversation(event), "budget": event.budget}
    return state.model_copy(update=opened)


@_evolve.register
def _apply_message_queued(event: MessageQueued, state: SessionState) -> SessionState:
    waiting = (*state.conversation.messages, message_of(event))
    changed: dict[str, Any] = {
        "conversation": state.conversation.model_copy(update={"messages": waiting}),
        "seen": (*state.seen, event.message_id)[-MAX_SEEN:],
    }
    if event.has_plan_files not in {None, state.has_plan_files}:
        first = state.conversation.turns + 1
        changed |= {"has_plan_files": event.has_plan_files, "plan_files_turn": first}
    return state.model_copy(update=changed)


@_evolve.register
def _apply_message_withdrawn(event: MessageWithdrawn, state: SessionState) -> SessionState:
    left = conversations.without(state.conversation.messages, event)
    return state.model_copy(
        update={
            "conversation": state.conversation.model_copy(update={"messages": left}),
            "withdrawn": with_withdrawn(state.withdrawn, event.message_id),
        }
    )


@_evolve.register
def _apply_turn_started(event: TurnStarted, state: SessionState) -> SessionState:
    waiting = state.conversation.messages
    taken = tuple(m for m in waiting if m.message_id == event.message_id)
    left = tuple(m for m in waiting if m.message_id != event.message_id)
    turn = turns.evolve(None, event)
    text = taken[0].text[:MAX_REMEMBERED_TEXT] if taken else ""
    remembered = (*state.remembered, text)[-MAX_REMEMBERED:] if text else state.remembered
    return state.model_copy(
        update={
            "turn": turn.model_copy(update={"messages": taken}) if turn else None,
            "conversation": state.conversation.model_copy(update={"messages": left}),
            "owner_key": taken[0].message_id if taken and taken[0].place else state.owner_key,
            "remembered": remembered,
        }
    )


@_evolve.register
def _apply_turn_ended(event: TurnEnded, state: SessionState) -> SessionState:
    last = event.result.model_copy(update={"text": ""})
    return state.model_copy(update={"last": last, "files": _files(event.result, state)})


def _files(result: TurnResult, state: SessionState) -> tuple[str, ...]:
    """Return what the session has changed; snapshots of a shared directory are of one turn each."""
    if result.snapshot is None:
        return state.files
    before = state.last.snapshot if state.last else None
    if before is None or before.base == result.snapshot.base:
        return result.snapshot.files
    return tuple(dict.fromkeys((*state.files, *result.snapshot.files)))[:MAX_FILES]


@_evolve.register
def _apply_agent_switched(event: AgentSwitched, state: SessionState) -> SessionState:
    del event
    return state.model_copy(update={"last": None})


@_evolve.register
def _apply_context_compacted(event: ContextCompacted, state: SessionState) -> SessionState:
    return state if event.command else state.model_copy(update={"last": None})


@_evolve.register
def _apply_conversation_closed(event: ConversationClosed, state: SessionState) -> SessionState:
    del event
    emptied = state.conversation.model_copy(update={"messages": ()})
    return state.model_copy(update={"is_closed": True, "conversation": emptied})
