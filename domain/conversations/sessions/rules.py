"""The rules of a session: which events a command gives, and which turn must run."""

from collections.abc import Iterable

from domain.agents.agents import READERS, Prompt, SessionRole
from domain.agents.limits.budgets import Budget, context_warning
from domain.agents.offers import AgentOptions
from domain.conversations.checks import check_open
from domain.conversations.commands import (
    BeginTurn,
    Close,
    EndTurn,
    SendMessage,
    StopTurn,
    SwitchAgent,
)
from domain.conversations.conversation import COMPACT, Message
from domain.conversations.effects import ConversationEffect, RunTurn
from domain.conversations.events import (
    ConversationClosed,
    ConversationOpened,
    MessageQueued,
    MessageWithdrawn,
    RoleChanged,
    TurnEnded,
    TurnStarted,
)
from domain.conversations.messages import queue_message
from domain.conversations.place import FlowPlace
from domain.conversations.questions.turns import deliver_late_answers
from domain.conversations.sessions import evolution
from domain.conversations.sessions.inputs import SessionInput
from domain.conversations.sessions.registry import SESSION_RULES
from domain.conversations.sessions.state import SessionState
from domain.conversations.turns import (
    compaction,
    hold_turn,
    replace_lost_context,
    stop_turn,
    switch_agent,
    turn_id,
)
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError
from domain.core.ids import SessionId
from domain.core.notices import ResourceWarned
from domain.core.wire import Wire

RULES = (evolution,)
"""The others that register rules."""


class OpenConversation(Wire):
    """Begin the session."""

    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    budget: Budget = Budget()
    agent_session: str | None = None


def opening_of(session: SessionInput) -> OpenConversation:
    """Return how a session's conversation begins."""
    return OpenConversation(
        session_id=session.session_id,
        role=session.role,
        agent=session.agent,
        model=session.model,
        options=session.options,
        budget=Budget(context_tokens=session.max_context_tokens),
        agent_session=session.agent_session,
    )


class QueuePrompt(Wire):
    """Queue a prompt of Treadle's own; the key makes it once. A flow's has its place there."""

    key: str
    prompt: Prompt
    place: FlowPlace | None = None
    has_plan_files: bool | None = None


class ChangeRole(Wire):
    """From now on the session plans, is the work's, or is a chat again; with `is_reset` in a fresh context.

    Back from the work it has taken so many `turns`.
    """

    role: SessionRole
    is_reset: bool = False
    turns: int | None = None


class DropPrompt(Wire):
    """A flow wants its message no more: one that waits is not sent, its turn is stopped."""

    key: str


class PassMessages(Wire):
    """The work of a plan reads what people have said to the session and its agent has not read."""


class StopRunning(Wire):
    """The thread wants no turn to go on; where none does, nothing is to stop."""

    by: str = ""


decide = SESSION_RULES.decide
evolve = SESSION_RULES.evolve
fold = SESSION_RULES.fold
effects = SESSION_RULES.effects


@SESSION_RULES.handles
def open_conversation(command: OpenConversation) -> Decided:
    return Decided((ConversationOpened(**dict(command)),))


@SESSION_RULES.handles
def queue_prompt(command: QueuePrompt, state: SessionState) -> Decided:
    if command.key in state.seen or state.is_closed:
        return Decided()
    queued = MessageQueued(
        session_id=state.session_id,
        message_id=command.key,
        prompt=command.prompt,
        by=command.prompt.by or "treadle",
        place=command.place,
        has_plan_files=command.has_plan_files,
    )
    return Decided((queued,))


@SESSION_RULES.handles
def change_role(command: ChangeRole, state: SessionState) -> Decided:
    """Change the role; the turn of a planner that is needed no more is stopped."""
    role = state.conversation.role
    if state.is_closed or (command.role is role and not command.is_reset):
        return Decided()
    changed = RoleChanged(session_id=state.session_id, **dict(command))
    if state.turn is None or role not in READERS:
        return Decided((changed,))
    return Decided((changed, *stop_turn(StopTurn(by="treadle"), state).events))


@SESSION_RULES.handles
def drop_prompt(command: DropPrompt, state: SessionState) -> Decided:
    if any(queued.message_id == command.key for queued in state.conversation.messages):
        return Decided((MessageWithdrawn(message_id=command.key),))
    if state.owner_key != command.key or state.turn is None:
        return Decided()
    return stop_turn(StopTurn(by="treadle"), state)


@SESSION_RULES.handles(PassMessages)
def pass_messages(state: SessionState) -> Decided:
    passed = (MessageWithdrawn(message_id=m.message_id, is_for_work=True) for m in state.unread)
    return Decided(tuple(passed))


def unread_of(state: SessionState) -> tuple[QueuePrompt, ...]:
    """Return what people have said and the work of a plan is to read."""
    return as_said(state.unread)


def as_said(messages: Iterable[Message]) -> tuple[QueuePrompt, ...]:
    """Return messages as people said them: nothing is told along that may be old."""
    return tuple(
        QueuePrompt(
            key=message.message_id,
            prompt=Prompt(
                fields={"text": message.text},
                attachments=message.attachments,
                by=message.prompt.by,
            ),
        )
        for message in messages
    )


@SESSION_RULES.handles
def stop_running(command: StopRunning, state: SessionState) -> Decided:
    return Decided() if state.turn is None else stop_turn(StopTurn(by=command.by), state)


@SESSION_RULES.handles
def send_message(command: SendMessage, state: SessionState) -> Decided:
    check_open(state)
    if command.session_id not in {None, state.session_id}:
        raise NotFoundError(f"this is session {state.session_id!r}, not that one")
    return queue_message(command, state, state.session_id, "queued")


@SESSION_RULES.handles(BeginTurn)
def begin_turn(state: SessionState) -> Decided:
    conversation = state.conversation
    if state.turn is not None or not state.has_turn:
        return Decided()
    first = conversation.messages[0]
    compacted = compaction(state.budget, conversation)
    is_compacting = compacted is not None and bool(compacted.command)
    started = TurnStarted(
        session_id=state.session_id,
        turn_id=turn_id(conversation),
        number=conversation.turns + 1,
        prompt_name=COMPACT if is_compacting else first.prompt.name,
        message_id=None if is_compacting else first.message_id,
        place=None if is_compacting else first.place,
    )
    return Decided((compacted, started) if compacted else (started,))


@SESSION_RULES.handles
def end_turn(command: EndTurn, state: SessionState) -> Decided:
    result, turn = command.result, state.turn
    if turn is None or result.turn_id != turn.turn_id:
        return Decided()
    if (held := hold_turn(state, turn, result)) is not None:
        return held
    warned = context_warning(state.budget, state.conversation.context, result.context)
    return Decided(
        (
            *deliver_late_answers(state, result),
            TurnEnded(session_id=state.session_id, result=result),
            *(ResourceWarned(message=message) for message in warned),
            *replace_lost_context(state.budget, state.conversation, result),
        )
    )


@SESSION_RULES.handles
def change_agent(command: SwitchAgent, state: SessionState) -> Decided:
    check_open(state)
    return switch_agent(command, state.conversation, state.turn)


@SESSION_RULES.handles
def close_session(command: Close, state: SessionState) -> Decided:
    if state.is_closed:
        return Decided(answer=Answer(message="already closed"))
    return Decided((ConversationClosed(reason=command.by),), Answer(message="closed"))


@SESSION_RULES.requires
def start_next_turn(state: SessionState) -> Iterable[ConversationEffect]:
    if state.turn is None and state.has_turn:
        yield RunTurn(session_id=state.session_id, number=state.conversation.turns + 1)
