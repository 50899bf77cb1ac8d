"""A session against a list: prompts in order, one turn at a time, nothing twice."""

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from domain.agents.agents import Prompt, SessionRole, TurnResult
from domain.conversations.commands import (
    BeginTurn,
    Close,
    EndTurn,
    SendMessage,
    StopTurn,
    WithdrawMessage,
)
from domain.conversations.events import TurnStarted
from domain.conversations.sessions.rules import OpenConversation, QueuePrompt, decide, evolve
from domain.conversations.sessions.state import SessionState
from domain.core.errors import TreadleError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import CommandId, SessionId, TurnId
from domain.core.wire import Wire
from tests.domain.core.tank import NOW

SESSION = SessionId("thread-test-1/session-1")
KEYS = st.sampled_from(["a", "b", "c", "d", "e", "f"])


class SessionMachine(RuleBasedStateMachine):
    @initialize()
    def open(self) -> None:
        self.state, self.log = SessionState(), []
        self.queue: list[str] = []
        self.seen: set[str] = set()
        self.turns: list[str] = []
        self.own: set[str] = set()
        self.read: list[str] = []
        self.given_back: list[str] = []
        self.is_turning = self.is_stopping = self.is_closed = False
        command = OpenConversation(session_id=SESSION, role=SessionRole.CHAT, agent="fake")
        self._send(command)

    def _send(self, command: Wire) -> tuple[EventBody, ...] | None:
        try:
            events = decide(self.state, command, NOW).events
        except TreadleError:
            return None
        for event in events:
            self.state = evolve(self.state, event)
            self.log.append(event)
        return events

    def _twice(self, command: Wire) -> bool:
        """Send a command twice; tells whether it was taken, and asserts that it was taken once."""
        events = self._send(command)
        assert not self._send(command), f"{command!r} was taken twice"
        return events is not None

    def _queued(self, key: str) -> None:
        if key not in self.seen:
            self.queue.append(key)
            self.seen.add(key)

    @rule(key=KEYS)
    def say(self, key: str) -> None:
        assert self._twice(SendMessage(text=key, command_id=CommandId(key))) != self.is_closed
        if not self.is_closed:
            self._queued(key)

    @rule(key=KEYS)
    def prompt(self, key: str) -> None:
        assert self._twice(QueuePrompt(key=key, prompt=Prompt()))
        if not self.is_closed:
            self.own |= {key} - self.seen
            self._queued(key)

    @rule(key=KEYS)
    def withdraw_message(self, key: str) -> None:
        is_theirs = key in self.queue and key not in self.own
        assert bool(self._send(WithdrawMessage(message_id=key))) == is_theirs
        if is_theirs:
            self.queue.remove(key)
            self.given_back.append(key)
        is_known = key in self.given_back and not self.is_closed
        assert (self._send(WithdrawMessage(message_id=key)) == ()) == is_known

    @rule()
    def begin(self) -> None:
        assert self.state.has_turn == (not self.is_closed and (self.is_turning or bool(self.queue)))
        events = self._send(BeginTurn())
        if self.is_turning or self.is_closed or not self.queue:
            assert events == ()
            return
        assert events is not None
        started = events[0]
        assert isinstance(started, TurnStarted)
        assert started.message_id == self.queue.pop(0), "out of order"
        self.read.append(started.message_id)
        assert started.turn_id not in self.turns
        self.turns.append(started.turn_id)
        self.is_turning = True

    @rule(is_late=st.booleans(), session=st.sampled_from([None, None, "agent-1"]))
    def end(self, is_late: bool, session: str | None) -> None:
        is_current = self.is_turning and not is_late
        old = self.turns[:-1] if self.is_turning else self.turns
        number = self.turns[-1] if is_current else (old or ["nothing"])[0]
        events = self._send(
            EndTurn(result=TurnResult(turn_id=TurnId(number), agent_session=session))
        )
        assert bool(events) == is_current
        if is_current:
            self.is_turning = self.is_stopping = False
            assert session is None or self.state.conversation.agent_session == session

    @rule()
    def stop(self) -> None:
        events = self._send(StopTurn())
        assert (events is None) == (not self.is_turning)
        assert bool(events) == (self.is_turning and not self.is_stopping)
        self.is_stopping = self.is_turning

    @rule(chance=st.integers(0, 9))
    def close(self, chance: int) -> None:
        if chance == 0:
            assert self._twice(Close())
            self.is_closed, self.queue = True, []

    @rule()
    def crash(self) -> None:
        rebuilt = SessionState()
        for event in self.log:
            rebuilt = evolve(rebuilt, event)
        assert rebuilt == self.state
        self.state = SessionState.model_validate_json(self.state.model_dump_json())
        assert self.state == rebuilt

    @invariant()
    def it_is_as_the_list_says(self) -> None:
        assert [m.message_id for m in self.state.conversation.messages] == self.queue
        assert (self.state.running_turn is not None) == self.is_turning
        assert self.state.is_stop_requested == self.is_stopping
        assert self.state.conversation.turns == len(self.turns)
        assert self.state.is_closed == self.is_closed

    @invariant()
    def the_agent_has_a_message_or_its_writer_has_it(self) -> None:
        assert not {*self.read} & {*self.given_back}
        if not self.is_closed:
            assert {*self.read, *self.given_back, *self.queue} == self.seen


TestSessionMachine = SessionMachine.TestCase


def test_a_closed_session_refuses_messages() -> None:
    with pytest.raises(WrongStateError, match="closed"):
        decide(SessionState(is_closed=True), SendMessage(text="hello"), NOW)
