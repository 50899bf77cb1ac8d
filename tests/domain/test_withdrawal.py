"""A message of a person that waits for a task's agent: the agent gets it, or the person has it back."""

import pytest

from domain.agents.agents import TurnResult
from domain.conversations.commands import (
    BeginTurn,
    EndTurn,
    OpenSession,
    SendMessage,
    WithdrawMessage,
)
from domain.conversations.evolution import MAX_SEEN
from domain.conversations.messages import waiting_in
from domain.core.errors import NotFoundError, WrongStateError
from domain.tasks import rules
from domain.tasks.agent_commands import ReportDone
from domain.tasks.state import Phase
from tests.domain.core.tank import NOW
from tests.domain.task_lab import SESSION, after, working


def end(number, session=SESSION):
    return EndTurn(result=TurnResult(turn_id=f"{session}/turn-{number}"))


@pytest.fixture
def at_work():
    return working()


def test_a_message_that_waits_is_withdrawn_once_and_no_turn_gets_it(at_work):
    told = after(at_work, SendMessage(command_id="m", text="use tabs"))
    assert [(m.message_id, m.text) for m in waiting_in(told)] == [("m", "use tabs")]

    back = after(told, WithdrawMessage(message_id="m"))

    assert waiting_in(back) == ()
    assert not rules.decide(back, WithdrawMessage(message_id="m"), NOW).events
    going_on = after(back, end(1), BeginTurn())
    assert going_on.turn.messages == ()


def test_a_repeated_message_that_was_withdrawn_stays_withdrawn(at_work):
    message = SendMessage(command_id="m", text="use tabs")
    back = after(at_work, message, WithdrawMessage(message_id="m"))

    assert waiting_in(after(back, message)) == ()


def test_reported_work_goes_on_to_verification_when_the_message_after_it_is_withdrawn(at_work):
    reported = after(at_work, ReportDone(session_id=SESSION), SendMessage(command_id="m", text="x"))

    assert after(reported, end(1)).phase is Phase.WORKING
    assert after(reported, WithdrawMessage(message_id="m"), end(1)).phase is Phase.AT_GATE


def test_a_message_that_a_turn_has_taken_is_not_withdrawn(at_work):
    read = after(at_work, SendMessage(command_id="m", text="x"), end(1), BeginTurn())

    with pytest.raises(WrongStateError, match="the agent has the message 'm' already"):
        rules.decide(read, WithdrawMessage(message_id="m"), NOW)


def test_a_message_to_a_session_that_a_person_opened_is_withdrawn(at_work):
    told = after(at_work, OpenSession())
    chat = next(name for name in told.conversations if name != SESSION)
    told = after(told, SendMessage(command_id="m", text="x", session_id=chat))
    assert [m.session_id for m in waiting_in(told)] == [chat]

    assert waiting_in(after(told, WithdrawMessage(message_id="m"))) == ()


def test_a_message_that_woke_the_agent_is_not_withdrawn_while_another_session_has_the_turn(
    at_work,
):
    told = after(at_work, OpenSession())
    chat = next(name for name in told.conversations if name != SESSION)
    asked = SendMessage(command_id="c", text="look", session_id=chat)
    told = after(told, asked, SendMessage(command_id="m", text="x"), end(1), BeginTurn())
    assert told.running_session == chat

    with pytest.raises(WrongStateError, match="goes on with this message"):
        rules.decide(told, WithdrawMessage(message_id="m"), NOW)


def test_an_unknown_message_is_refused(at_work):
    with pytest.raises(NotFoundError, match="no queued message 'nothing'"):
        rules.decide(at_work, WithdrawMessage(message_id="nothing"), NOW)


def test_a_message_without_an_id_is_queued_however_many_came_before(at_work):
    remembered = tuple(f"message-{number}" for number in range(500, 500 + MAX_SEEN))
    busy = at_work.model_copy(update={"seen": remembered})

    told = after(busy, SendMessage(text="first"), SendMessage(text="second"))
    assert [m.text for m in waiting_in(told)] == ["first", "second"]
    assert len({m.message_id for m in waiting_in(told)} - {*remembered}) == 2
