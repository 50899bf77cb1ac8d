"""How each event of a session's stream changes what is known of it, besides what conversations share."""

from typing import Any

from domain.agents.agents import PromptName, TurnResult
from domain.conversations.conversation import message_of, open_conversation
from domain.conversations.events import (
    AgentSwitched,
    ContextCompacted,
    ConversationClosed,
    ConversationOpened,
    MessageQueued,
    RoleChanged,
    TurnEnded,
    TurnStarted,
)
from domain.conversations.sessions.registry import SESSION_RULES
from domain.conversations.sessions.state import SessionState

MAX_REMEMBERED = 5
MAX_REMEMBERED_TEXT = 4_000

MAX_FILES = 500


@SESSION_RULES.evolves
def apply_conversation_opened(event: ConversationOpened, state: SessionState) -> SessionState:
    opened = {"conversation": open_conversation(event), "budget": event.budget}
    return state.model_copy(update=opened)


@SESSION_RULES.evolves
def apply_message_queued(event: MessageQueued, state: SessionState) -> SessionState:
    waiting = (*state.conversation.messages, message_of(event))
    changed: dict[str, Any] = {
        "conversation": state.conversation.model_copy(update={"messages": waiting})
    }
    if event.prompt.name is PromptName.OWN_TURN:
        changed["own_key"] = event.message_id
    if event.has_plan_files not in {None, state.has_plan_files}:
        first = state.conversation.turns + 1
        changed |= {"has_plan_files": event.has_plan_files, "plan_files_turn": first}
    return state.model_copy(update=changed)


@SESSION_RULES.evolves
def apply_turn_started(event: TurnStarted, state: SessionState) -> SessionState:
    taken = state.messages_for(event)
    text = taken[0].text[:MAX_REMEMBERED_TEXT] if taken else ""
    remembered = (*state.remembered, text)[-MAX_REMEMBERED:] if text else state.remembered
    is_resolving = bool(taken and taken[0].prompt.merging)
    is_awaited = is_resolving or bool(taken and taken[0].place)
    changes = {
        "remembered": remembered,
        "owner_key": taken[0].message_id if is_awaited else state.owner_key,
        "is_resolving": is_resolving,
    }
    return state.model_copy(update=changes)


@SESSION_RULES.evolves
def apply_turn_ended(event: TurnEnded, state: SessionState) -> SessionState:
    last = event.result.model_copy(update={"text": ""})
    return state.model_copy(update={"last": last, "files": _files(event.result, state)})


def _files(result: TurnResult, state: SessionState) -> tuple[str, ...]:
    """Return what the session has changed; snapshots of a shared directory are of one turn each.

    The turn before may have had none: it only read.
    """
    if result.snapshot is None:
        return state.files
    before = state.last.snapshot if state.last else None
    if before is not None and before.base == result.snapshot.base:
        return result.snapshot.files
    return tuple(dict.fromkeys((*state.files, *result.snapshot.files)))[:MAX_FILES]


@SESSION_RULES.evolves(AgentSwitched)
def apply_agent_switched(state: SessionState) -> SessionState:
    return state.model_copy(update={"last": None})


@SESSION_RULES.evolves
def apply_context_compacted(event: ContextCompacted, state: SessionState) -> SessionState:
    return state if event.command else state.model_copy(update={"last": None})


@SESSION_RULES.evolves
def apply_role_changed(event: RoleChanged, state: SessionState) -> SessionState:
    return state.model_copy(update={"last": None, "remembered": ()}) if event.is_reset else state


@SESSION_RULES.evolves
def apply_conversation_closed(event: ConversationClosed, state: SessionState) -> SessionState:
    messages = state.conversation.messages
    changes = {
        "is_closed": True,
        "closed_by": event.reason,
        "left": tuple(message for message in messages if message.prompt.by),
        "conversation": state.conversation.model_copy(update={"messages": ()}),
    }
    return state.model_copy(update=changes)
