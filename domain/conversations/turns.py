"""Rules of turns that sessions and tasks share."""

from collections.abc import Iterable

from domain.agents.agents import StopReason, TurnResult
from domain.agents.limits.budgets import Budget, must_compact
from domain.agents.limits.compaction import EMPTY, is_empty
from domain.agents.limits.money import HOLDS
from domain.agents.spending import held
from domain.conversations.commands import EndWait, FreeTurn, SkipWait, StopTurn, SwitchAgent
from domain.conversations.conversation import Conversation
from domain.conversations.effects import AwaitProvider, ConversationEffect, RunTurn
from domain.conversations.events import (
    AgentSwitched,
    ContextCompacted,
    TurnDelayed,
    TurnEnded,
    TurnResumed,
    TurnStopRequested,
)
from domain.conversations.questions.turns import sleep_turn
from domain.conversations.registry import CONVERSATION_RULES
from domain.conversations.turn import Turn, TurnState
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


def hold_turn(state: TurnState, turn: Turn, result: TurnResult) -> Decided | None:
    """Return what happens to a turn that sleeps, or that its provider refused; None where it ended."""
    if result.is_asleep and not turn.is_stop_requested:
        return sleep_turn(state.questions, turn, result)
    if result.retry_at is None:
        return None
    delayed = TurnDelayed(
        session_id=turn.session_id,
        turn_id=turn.turn_id,
        provider=result.provider,
        reason=result.limit_reason,
        until=result.retry_at,
        refusals=turn.refusals + 1,
        pauses=turn.pauses + (result.provider in HOLDS),
        agent_session=result.agent_session,
        taken=held(result),
    )
    return Decided((delayed,))


@CONVERSATION_RULES.handles
def end_wait(command: EndWait, state: TurnState) -> Decided:
    turn = state.turn
    if turn is None or turn.delay is None or turn.turn_id != command.turn_id:
        return Decided()
    return Decided((TurnResumed(session_id=turn.session_id, turn_id=turn.turn_id),))


@CONVERSATION_RULES.handles
def free_turn(command: FreeTurn, state: TurnState) -> Decided:
    del command
    turn = state.turn
    if turn is None or turn.delay is None or turn.delay.provider not in HOLDS:
        return Decided()
    return Decided((TurnResumed(session_id=turn.session_id, turn_id=turn.turn_id),))


@CONVERSATION_RULES.handles
def skip_wait(command: SkipWait, state: TurnState) -> Decided:
    turn, by = state.turn, command.by
    if turn is None or turn.delay is None:
        raise WrongStateError("no turn waits for a provider")
    resumed = TurnResumed(session_id=turn.session_id, turn_id=turn.turn_id, is_skipped=True, by=by)
    return Decided((resumed,), Answer(message="trying now"))


@CONVERSATION_RULES.handles
def stop_turn(command: StopTurn, state: TurnState) -> Decided:
    turn = state.turn
    if turn is None:
        raise WrongStateError("no turn is running")
    if command.turn_id not in {"", turn.turn_id}:
        return Decided(answer=Answer(message=f"{command.turn_id} runs no more"))
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


@CONVERSATION_RULES.requires
def continue_turn(state: TurnState) -> Iterable[ConversationEffect]:
    turn = state.turn
    if turn is None or turn.is_asleep or state.over:
        return
    if turn.delay is not None:
        until = turn.delay.until
        yield AwaitProvider(turn_id=turn.turn_id, refusals=turn.refusals, until=until)
    elif (own := state.conversation_of(turn.session_id)) is not None:
        yield RunTurn(session_id=own.session_id, number=own.turns, refusals=turn.refusals)
