"""The rules of a session: which events a command gives, and which turn must run."""

from functools import reduce

from domain.agents.agents import Prompt, SessionRole
from domain.agents.limits.budgets import Budget, context_warning
from domain.agents.offers import AgentOptions
from domain.conversations.commands import (
    BeginTurn,
    Close,
    EndTurn,
    EndWait,
    SendMessage,
    SkipWait,
    StopTurn,
    SwitchAgent,
)
from domain.conversations.conversation import COMPACT
from domain.conversations.events import (
    ConversationClosed,
    ConversationOpened,
    MessageQueued,
    MessageWithdrawn,
    TurnEnded,
    TurnStarted,
)
from domain.conversations.messages import A_PERSON
from domain.conversations.place import FlowPlace
from domain.conversations.questions.turns import deliver_answers, sleep_turn
from domain.conversations.sessions import withdrawal
from domain.conversations.sessions.dispatch import dispatch, handles
from domain.conversations.sessions.questions import withdraw_before_message, withdraw_questions
from domain.conversations.sessions.state import SessionState, evolve
from domain.conversations.turns import (
    compaction,
    delay_turn,
    end_wait,
    replace_lost_context,
    skip_wait,
    stop_turn,
    switch_agent,
    turn_id,
)
from domain.core.command import Answer
from domain.core.decisions import Decided, refuse_flood
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.ids import SessionId
from domain.core.notices import ResourceWarned
from domain.core.wire import Wire

MODULES = (withdrawal,)
"""The others that register rules of commands."""


class OpenConversation(Wire):
    """Begin the session."""

    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    budget: Budget = Budget()


class QueuePrompt(Wire):
    """Queue a prompt of Treadle's own; the key makes it once. A flow's has its place there."""

    key: str
    prompt: Prompt
    place: FlowPlace | None = None
    has_plan_files: bool | None = None


class DropPrompt(Wire):
    """A flow wants its message no more: one that waits is not sent, its turn is stopped."""

    key: str


def has_turn(state: SessionState) -> bool:
    """Tell whether a turn is running or must be started."""
    return not state.is_closed and (state.turn is not None or bool(state.conversation.messages))


def status_of(state: SessionState) -> str:
    """Return what a session does, in a word."""
    if state.is_closed:
        return "closed"
    if state.delay is not None or state.questions.open:
        return "waiting"
    return "working" if has_turn(state) else "idle"


def decide(state: SessionState, command: Wire) -> Decided:
    """Return the events of a command.

    Raises:
        WrongStateError: The session is closed, or no turn is running to be stopped.
    """
    decided = dispatch(command, state)
    after = reduce(evolve, decided.events, state)
    withdrawn = withdraw_questions(state, after)
    return decided._replace(events=(*decided.events, *withdrawn)) if withdrawn else decided


@handles
def _open_conversation(command: OpenConversation, state: SessionState) -> Decided:
    del state
    return Decided((ConversationOpened(**dict(command)),))


@handles
def _queue_prompt(command: QueuePrompt, state: SessionState) -> Decided:
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


@handles
def _drop_prompt(command: DropPrompt, state: SessionState) -> Decided:
    if any(queued.message_id == command.key for queued in state.conversation.messages):
        return Decided((MessageWithdrawn(message_id=command.key),))
    if state.owner_key != command.key or state.turn is None:
        return Decided()
    return dispatch(StopTurn(by="treadle"), state)


@handles
def _send_message(command: SendMessage, state: SessionState) -> Decided:
    if state.is_closed:
        raise WrongStateError(f"session {state.session_id!r} is closed: open another one")
    if command.session_id not in {None, state.session_id}:
        raise NotFoundError(f"this is session {state.session_id!r}, not that one")
    message_id = command.command_id or f"message-{len(state.seen) + 1}"
    answer = Answer(message="queued", data={"message_id": message_id})
    if message_id in state.seen:
        return Decided(answer=answer)
    refuse_flood((message.text for message in state.conversation.messages), command.text)
    by = command.by or A_PERSON
    prompt = Prompt(fields={"text": command.text}, attachments=command.attachments, by=by)
    queued = MessageQueued(
        session_id=state.session_id, message_id=message_id, prompt=prompt, by=command.by
    )
    return Decided((*withdraw_before_message(state), queued), answer)


@handles
def _begin_turn(command: BeginTurn, state: SessionState) -> Decided:
    del command
    conversation = state.conversation
    if state.is_closed or state.turn is not None or not conversation.messages:
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


@handles
def _end_turn(command: EndTurn, state: SessionState) -> Decided:
    result, turn = command.result, state.turn
    if turn is None or result.turn_id != turn.turn_id:
        return Decided()
    if result.is_asleep and not turn.is_stop_requested:
        return sleep_turn(state.questions, turn, result)
    if result.retry_at is not None:
        return delay_turn(turn, result)
    late = (
        ()
        if result.failure
        else deliver_answers(state.questions, state.session_id, state.session_id)
    )
    warned = context_warning(state.budget, state.conversation.context, result.context)
    return Decided(
        (
            *late,
            TurnEnded(session_id=state.session_id, result=result),
            *(ResourceWarned(message=message) for message in warned),
            *replace_lost_context(state.budget, state.conversation, result),
        )
    )


@handles
def _end_wait(command: EndWait, state: SessionState) -> Decided:
    return end_wait(state.turn, command.turn_id)


@handles
def _skip_wait(command: SkipWait, state: SessionState) -> Decided:
    return skip_wait(state.turn, command.by)


@handles
def _switch_agent(command: SwitchAgent, state: SessionState) -> Decided:
    if state.is_closed:
        raise WrongStateError(f"session {state.session_id!r} is closed: open another one")
    return switch_agent(command, state.conversation, state.turn)


@handles
def _stop_turn(command: StopTurn, state: SessionState) -> Decided:
    return stop_turn(state.turn, command)


@handles
def _close(command: Close, state: SessionState) -> Decided:
    if state.is_closed:
        return Decided(answer=Answer(message="already closed"))
    return Decided((ConversationClosed(reason=command.by),), Answer(message="closed"))
