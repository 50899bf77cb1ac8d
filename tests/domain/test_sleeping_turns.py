"""Turns that wait for a person without their agent, and what wakes them."""

import pytest

from domain.agents.agents import StopReason
from domain.conversations.commands import StopTurn
from tests.domain.test_session_questions import Session, ended


@pytest.fixture
def session() -> Session:
    return Session()


def test_a_turn_that_sleeps_is_woken_by_an_answer(session: Session):
    session.ask(asker="p1/1")
    session.tell(ended(is_asleep=True))
    assert (session.state.is_asleep, session.state.refusals) == (True, 1)
    session.answer()

    assert session.kinds[-2:] == ["question_answered", "turn_woken"]
    assert session.ask(asker="p2/1") == "answered"


def test_a_turn_whose_answer_came_while_it_fell_asleep_goes_on_at_once(session: Session):
    session.ask()
    session.answer()
    session.tell(ended(is_asleep=True))

    assert session.kinds[-2:] == ["turn_slept", "turn_woken"]


def test_a_turn_that_waits_keeps_its_agents_session_where_the_agent_names_none(session: Session):
    session.ask()
    session.tell(ended(is_asleep=True, agent_session="agent-1"))
    session.answer()
    session.ask(asker="p2/1", title="git push")
    session.tell(ended(is_asleep=True))

    assert session.state.conversation.agent_session == "agent-1"


def test_a_sleeping_turn_can_be_stopped(session: Session):
    session.ask()
    session.tell(ended(is_asleep=True))
    session.tell(StopTurn())

    assert session.state.running_turn is None
    assert session.state.questions.open == {}
    assert session.state.last is not None
    assert session.state.last.stop_reason is StopReason.CANCELLED
