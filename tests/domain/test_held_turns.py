"""Turns that wait for money: no refusals of a provider, and what people are told of them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import TurnResult
from domain.agents.limits.money import CROWDED, OVER_LIMIT
from domain.conversations.commands import FreeTurn, StopTurn
from domain.conversations.conversation import Conversation
from domain.conversations.events import TurnDelayed, TurnResumed, TurnSlept, TurnWoken
from domain.conversations.questions.turns import sleep_turn
from domain.conversations.registry import CONVERSATION_RULES
from domain.conversations.sessions.facts import SessionFacts
from domain.conversations.sessions.rules import SESSION_RULES
from domain.conversations.sessions.state import SessionState
from domain.conversations.turn import Delay, Turn
from domain.conversations.turns import hold_turn
from domain.core.event import EventBody
from domain.reading.event_text import text_of
from domain.tasks.state import TaskState

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
SESSION = "thread-a/session-1"
TURN = Turn(turn_id="t", session_id=SESSION)


def state(turn: Turn = TURN, **more: object) -> SessionState:
    return SessionState(conversation=Conversation(session_id=SESSION), turn=turn, **more)


def held_for(what: str, now: SessionState) -> tuple[EventBody, ...]:
    """Return what happens where the running turn waits for a provider, for money, or for a person."""
    result = TurnResult(turn_id="t", provider=what, retry_at=NOW, limit_reason="full")
    turn = now.turn
    assert turn is not None
    if what == "a person":
        return sleep_turn(now.questions, turn, result).events
    decided = hold_turn(now, turn, result)
    assert decided is not None
    return (*decided.events, TurnResumed(session_id=SESSION, turn_id="t"))


@given(st.lists(st.sampled_from(["claude", OVER_LIMIT, CROWDED, "a person"]), max_size=12))
def test_only_a_provider_refuses(causes: list[str]) -> None:
    """Each part of a turn has a number of its own; only its provider's refusals make the next wait longer."""
    now, facts, numbers = state(), SessionFacts(), set[int]()
    for number, cause in enumerate(causes, 1):
        events = held_for(cause, now)
        first = events[0]
        assert isinstance(first, TurnDelayed | TurnSlept)
        numbers.add(first.refusals)
        now = SESSION_RULES.fold(now, events)
        assert now.refused == causes[:number].count("claude")
        if cause == "claude":
            assert facts.after(first).refusals == now.refused
        elif isinstance(first, TurnDelayed):
            assert facts.after(first).refusals == 0
        now = SESSION_RULES.fold(now, [TurnWoken(session_id=SESSION, turn_id="t")])
    assert numbers == set(range(1, len(causes) + 1))


@pytest.mark.parametrize(
    ("provider", "is_freed", "asks"),
    [
        (OVER_LIMIT, True, "a spending limit: full"),
        (CROWDED, True, ""),
        ("claude", False, ""),
    ],
)
def test_a_session_whose_turn_waits_at_a_limit_waits_for_a_person(
    provider: str, is_freed: bool, asks: str
) -> None:
    """Else a thread that plans at a limit counts as running, and keeps its place in the queue."""
    delayed = held_for(provider, state())[0]
    now = SESSION_RULES.fold(state(), [delayed])

    assert now.asks == asks
    assert now.model_copy(update={"is_closed": True}).asks == ""
    assert bool(CONVERSATION_RULES.decide(now, FreeTurn(), NOW).events) is is_freed


def test_a_stop_that_names_a_turn_stops_no_other_one() -> None:
    """Turns that wait at a limit are stopped by name: what was begun meanwhile goes on."""
    now = state()
    assert now.turn is not None
    other, mine = (StopTurn(turn_id=name) for name in ("another", now.turn.turn_id))

    assert SESSION_RULES.decide(now, other, NOW).events == ()
    assert SESSION_RULES.decide(now, mine, NOW).events


def test_a_turn_that_waits_at_a_limit_is_told_without_the_time_of_its_next_try() -> None:
    held, refused = (text_of(held_for(name, state())[0]).summary for name in (OVER_LIMIT, "claude"))

    assert held == "Waiting for a spending limit: full"
    assert refused.startswith("Waiting for claude until 2026-11-20")


@pytest.mark.parametrize(
    ("provider", "listed"),
    [
        (OVER_LIMIT, "a spending limit: full"),
        (CROWDED, ""),
        ("claude", "claude until 2026-11-20 12:00:00 UTC: full"),
    ],
)
def test_a_task_that_waits_for_the_turns_of_others_is_not_listed_as_waiting(
    provider: str, listed: str
) -> None:
    delay = Delay(provider=provider, reason="full", until=NOW)
    task = TaskState(turn=TURN.model_copy(update={"delay": delay}))
    assert task.listed_wait == listed
    assert task.waiting_for == ""
    assert bool(task.over_limit) is (provider == OVER_LIMIT)
