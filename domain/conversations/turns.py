"""Decisions on turns that every workflow with agents takes alike."""

from domain.agents.agents import StopReason, TurnResult
from domain.agents.limits.budgets import Budget, must_compact
from domain.agents.limits.compaction import EMPTY, is_empty
from domain.agents.spending import held
from domain.conversations.commands import StopTurn, SwitchAgent
from domain.conversations.conversation import Conversation
from domain.conversations.events import (
    AgentSwitched,
    ContextCompacted,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStopRequested,
)
from domain.conversations.turn import Turn
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import WrongStateError
from domain.core.event import EventBody
from domain.core.ids import TurnId
from domain.core.notices import ResourceWarned


def turn_id(conversation: Conversation) -> TurnId:
    """Return the id of a conversation's next turn."""
    return TurnId(f"{conversation.session_id}/turn-{conversation.turns + 1}")


def compaction(budget: Budget, conversation: Conversation) -> ContextCompacted | None:
    """Return what happens before the next turn where the agent's context is nearly full."""
    context = conversation.context
    if context is None or not must_compact(budget, context):
        return None
    return ContextCompacted(
        session_id=conversation.session_id,
        used=context.used,
        size=context.size,
        command=conversation.compact_command,
    )


def replace_lost_context(
    budget: Budget, conversation: Conversation, result: TurnResult
) -> tuple[EventBody, ...]:
    """Return what happens where an agent compacted its context to nothing."""
    before = conversation.context
    if not conversation.is_compacting or before is None or not is_empty(budget, before, result):
        return ()
    fresh = ContextCompacted(session_id=conversation.session_id, used=before.used, size=before.size)
    return ResourceWarned(message=EMPTY), fresh


def delay_turn(turn: Turn, result: TurnResult) -> Decided:
    """Return what happens to a turn that its provider refused; `retry_at` says until when."""
    if result.retry_at is None:
        return Decided()
    delayed = TurnDelayed(
        session_id=turn.session_id,
        turn_id=turn.turn_id,
        provider=result.provider,
        reason=result.limit_reason,
        until=result.retry_at,
        refusals=turn.refusals + 1,
        agent_session=result.agent_session,
        taken=held(result),
    )
    return Decided((delayed,))


def end_wait(turn: Turn | None, turn_id: str) -> Decided:
    """Return what happens when the provider takes turns again."""
    if turn is None or turn.delay is None or turn.turn_id != turn_id:
        return Decided()
    return Decided((TurnResumed(session_id=turn.session_id, turn_id=turn.turn_id),))


def skip_wait(turn: Turn | None, by: str) -> Decided:
    """Return what happens when a person does not wait for the provider.

    Raises:
        WrongStateError: No turn waits for one.
    """
    if turn is None or turn.delay is None:
        raise WrongStateError("no turn waits for a provider")
    resumed = TurnResumed(session_id=turn.session_id, turn_id=turn.turn_id, is_skipped=True, by=by)
    return Decided((resumed,), Answer(message="trying now"))


def stop_turn(turn: Turn | None, command: StopTurn) -> Decided:
    """Return what happens when a person stops the running turn; one that waits has ended with it.

    Raises:
        WrongStateError: No turn is running.
    """
    if turn is None:
        raise WrongStateError("no turn is running")
    if turn.is_stop_requested:
        return Decided(answer=Answer(message="already stopping"))
    stop = TurnStopRequested(session_id=turn.session_id, turn_id=turn.turn_id, by=command.by)
    if not turn.is_held:
        return Decided((stop,), Answer(message="stopping"))
    result = TurnResult(turn_id=turn.turn_id, stop_reason=StopReason.CANCELLED)
    over = TurnEnded(session_id=turn.session_id, result=result)
    return Decided((stop, over), Answer(message="stopped while waiting"))


def switch_agent(command: SwitchAgent, conversation: Conversation, turn: Turn | None) -> Decided:
    """Return what happens when a person gives a conversation another agent or model."""
    name = conversation.session_id
    if command.chosen == (conversation.agent, conversation.model, conversation.options):
        return Decided(answer=Answer(message=f"{name} already uses that agent"))
    switched = AgentSwitched(
        session_id=name,
        agent=command.agent,
        model=command.model,
        options=command.options,
        by=command.by,
    )
    is_held = turn is not None and turn.is_held and turn.session_id == name
    when = "continues now with" if is_held else "continues with its next turn with"
    return Decided((switched,), Answer(message=f"{name} {when} {command.agent}"))
