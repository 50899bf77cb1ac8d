"""Turns: whose they were, what they took, and what failed."""

from datetime import datetime, timedelta

from domain.agents.agents import SessionRole, Usage, UsageSource
from domain.agents.limits.money import month_of
from domain.agents.spending import Taken, taken_by
from domain.conversations.events import (
    AgentSwitched,
    ConversationOpened,
    RoleChanged,
    TurnDelayed,
    TurnEnded,
    TurnSlept,
)
from domain.core.ids import SessionId
from domain.reading.report.causes import Failed, cause_of, work_of
from domain.reading.report.state import SessionAgent, StreamState, counts
from domain.reading.report.tally import COST, MILLIONTHS, MONEY
from domain.tasks.events import TaskOpened


@counts(ConversationOpened)
def _conversation_opened(state: StreamState, event: ConversationOpened, at: datetime) -> None:
    del at
    state.agents[event.session_id] = SessionAgent(event.agent, event.model or "", event.role)


@counts(AgentSwitched)
def _agent_switched(state: StreamState, event: AgentSwitched, at: datetime) -> None:
    del at
    role = state.agents[event.session_id].role
    state.agents[event.session_id] = SessionAgent(event.agent, event.model or "", role)


@counts(TaskOpened)
def _task_opened(state: StreamState, event: TaskOpened, at: datetime) -> None:
    del at
    state.mode = event.task.mode
    state.agents[event.session_id] = SessionAgent(event.agent, event.model or "", SessionRole.TASK)


@counts(RoleChanged)
def _role_changed(state: StreamState, event: RoleChanged, at: datetime) -> None:
    del at
    state.agents[event.session_id] = state.agents[event.session_id]._replace(role=event.role)


def _is_of_work(state: StreamState, session_id: SessionId) -> bool:
    """Tell whether a turn in a session's own stream is the work's, in whose stream it is counted."""
    return not state.mode and state.agents[session_id].role is SessionRole.TASK


@counts(TurnEnded)
def _turn_ended(state: StreamState, event: TurnEnded, at: datetime) -> None:
    if _is_of_work(state, event.session_id):
        return
    result, tally = event.result, state.book.at(at)
    turn = {"turns": 1, "failed_turns": int(result.failure is not None), **_untold(result.usage)}
    _spend(state, event.session_id, taken_by(result), turn, at)
    tally.days[at.date(), "turns"] += 1
    if result.failure is not None:
        tally.failures[Failed.TURN, cause_of(result.failure)] += 1


@counts(TurnDelayed, TurnSlept)
def _turn_held(state: StreamState, event: TurnDelayed | TurnSlept, at: datetime) -> None:
    if event.taken is not None and not _is_of_work(state, event.session_id):
        _spend(state, event.session_id, event.taken, {}, at)


def _spend(
    state: StreamState, session_id: SessionId, taken: Taken, turn: dict[str, int], at: datetime
) -> None:
    """Count for the agent that had the turn: another one may have been given the session since."""
    known = state.agents[session_id]
    agent = (taken.agent, taken.model or "") if taken.agent else (known.agent, known.model)
    whose = (*agent, work_of(known.role, state.mode))
    measures = {
        **turn,
        "work_ms": taken.duration_ms,
        "tool_calls": taken.tool_calls,
        "tool_failures": taken.tool_failures,
        **_tokens(taken.usage),
    }
    money = {name: number for name in MONEY if (number := getattr(taken.cost, name))}
    tally = state.book.at(at)
    for measure, number in (measures | money).items():
        tally.usage[whose, measure] += number
    # as limits count it: in the month in which it began
    month = month_of(at - timedelta(milliseconds=taken.duration_ms), state.zone)
    for measure, number in ({"turns": turn.get("turns", 0)} | money).items():
        tally.months[month, measure] += number


def _untold(usage: Usage | None) -> dict[str, int]:
    """Count a turn of which no tokens were told, or those of its last call only."""
    source = usage.source if usage else UsageSource.UNTOLD
    return {
        "unreported_turns": int(source is UsageSource.UNTOLD),
        "partial_turns": int(source is UsageSource.LAST_CALL),
    }


def _tokens(usage: Usage | None) -> dict[str, int]:
    if usage is None:
        return {}
    counts = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "thought_tokens": usage.thought_tokens,
    }
    cost = {} if usage.cost is None else {f"{COST}{usage.currency}": round(usage.cost * MILLIONTHS)}
    return {**counts, **cost}
