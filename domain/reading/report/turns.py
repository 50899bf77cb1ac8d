"""Turns: whose they were, what they took, and what failed."""

from datetime import datetime

from domain.agents.agents import SessionRole, Usage, UsageSource
from domain.agents.spending import Taken, taken_by
from domain.conversations import events as session
from domain.conversations.questions.events import TurnSlept
from domain.reading.report.causes import Failed, cause_of, work_of
from domain.reading.report.state import SessionAgent, StreamState, counts
from domain.reading.report.tally import COST, MILLIONTHS
from domain.tasks import events as tasks


@counts(session.ConversationOpened)
def _conversation(state: StreamState, event: session.ConversationOpened, at: datetime) -> None:
    del at
    state.seats[""] = SessionAgent(event.agent, event.model or "", event.role)


@counts(session.AgentSwitched)
def _switched(state: StreamState, event: session.AgentSwitched, at: datetime) -> None:
    del at
    state.seats[""] = SessionAgent(event.agent, event.model or "", state.seats[""].role)


@counts(session.TurnEnded)
def _turn_ended(state: StreamState, event: session.TurnEnded, at: datetime) -> None:
    _count(state, event.result, at)


@counts(tasks.TaskOpened)
def _task_opened(state: StreamState, event: tasks.TaskOpened, at: datetime) -> None:
    del at
    state.mode = event.task.mode
    state.own_seat = event.session_id
    state.seats[event.session_id] = SessionAgent(event.agent, event.model or "", SessionRole.TASK)


@counts(tasks.TaskSessionOpened)
def _session_opened(state: StreamState, event: tasks.TaskSessionOpened, at: datetime) -> None:
    del at
    state.seats[event.session_id] = SessionAgent(event.agent, event.model or "", event.role)


@counts(tasks.TaskAgentSwitched)
def _seat_switched(state: StreamState, event: tasks.TaskAgentSwitched, at: datetime) -> None:
    del at
    role = state.seats[event.session_id].role
    state.seats[event.session_id] = SessionAgent(event.agent, event.model or "", role)


@counts(tasks.TaskTurnStarted)
def _task_turn_started(state: StreamState, event: tasks.TaskTurnStarted, at: datetime) -> None:
    del at
    state.seat = event.session_id or state.own_seat


@counts(tasks.TaskTurnEnded)
def _task_turn_ended(state: StreamState, event: tasks.TaskTurnEnded, at: datetime) -> None:
    _count(state, event, at)


def _count(
    state: StreamState, ended: tasks.TaskTurnEnded | session.TurnResult, at: datetime
) -> None:
    tally = state.book.at(at)
    turn = {"turns": 1, "failed_turns": int(ended.failure is not None), **_untold(ended.usage)}
    _spend(state, taken_by(ended), turn, at)
    tally.days[at.date(), "turns"] += 1
    if ended.failure is not None:
        tally.failures[Failed.TURN, cause_of(ended.failure)] += 1


@counts(session.TurnDelayed, tasks.TaskTurnDelayed, TurnSlept)
def _held(
    state: StreamState, event: session.TurnDelayed | tasks.TaskTurnDelayed | TurnSlept, at: datetime
) -> None:
    if event.taken is not None:
        _spend(state, event.taken, {}, at)


def _spend(state: StreamState, taken: Taken, turn: dict[str, int], at: datetime) -> None:
    """Count for the agent that had the turn: another one may have been given the session since."""
    seat = state.seats[state.seat]
    agent = (taken.agent, taken.model or "") if taken.agent else (seat.agent, seat.model)
    whose = (*agent, work_of(seat.role, state.mode))
    measures = {
        **turn,
        "work_ms": taken.duration_ms,
        "tool_calls": taken.tool_calls,
        "tool_failures": taken.tool_failures,
        **_tokens(taken.usage),
    }
    tally = state.book.at(at)
    for measure, number in measures.items():
        tally.usage[whose, measure] += number


def _untold(usage: Usage | None) -> dict[str, int]:
    """Count a turn of which no tokens were told, or those of its last call only."""
    source = usage.source if usage else UsageSource.UNTOLD
    return {
        "untold_turns": int(source is UsageSource.UNTOLD),
        "partial_turns": int(source is UsageSource.LAST_CALL),
    }


def _tokens(usage: Usage | None) -> dict[str, int]:
    if usage is None:
        return {}
    told = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
        "thought_tokens": usage.thought_tokens,
    }
    cost = {} if usage.cost is None else {f"{COST}{usage.currency}": round(usage.cost * MILLIONTHS)}
    return {**told, **cost}
