"""A session plans for a while, and is a chat again."""

import pytest

from domain.agents.agents import Prompt, PromptName, SessionRole, StopReason, TurnResult
from domain.conversations.commands import BeginTurn, Close, EndTurn, WithdrawMessage
from domain.conversations.sessions.inputs import SessionInput, primer_of
from domain.conversations.sessions.rules import (
    ChangeRole,
    OpenConversation,
    PassMessages,
    QueuePrompt,
    decide,
    fold,
    unread_of,
)
from domain.conversations.sessions.state import SessionState
from domain.core.errors import WrongStateError
from domain.core.ids import SessionId, ThreadId, TurnId
from domain.core.wire import Wire
from tests.domain.core.tank import NOW

SESSION = SessionId("thread-a/session-1")
PLANNING = ChangeRole(role=SessionRole.PLANNER)
INPUT = SessionInput(
    thread_id=ThreadId("thread-a"),
    project="r",
    repository="/r",
    host="h",
    base="main",
    session_id=SESSION,
    role=SessionRole.CHAT,
    agent="one",
    first_key="goal",
    first_prompt=Prompt(fields={"text": "Hello"}),
)


def sent(state: SessionState, *commands: Wire) -> SessionState:
    for command in commands:
        state = fold(state, decide(state, command, NOW).events)
    return state


def turn(number: int) -> EndTurn:
    result = TurnResult(turn_id=TurnId(f"{SESSION}/turn-{number}"), agent_session="agent-1")
    return EndTurn(result=result)


@pytest.fixture
def chat() -> SessionState:
    opened = OpenConversation(session_id=SESSION, role=SessionRole.CHAT, agent="one")
    first = QueuePrompt(key="goal", prompt=INPUT.first_prompt)
    return sent(SessionState(), opened, first, BeginTurn(), turn(1))


def test_a_chat_that_plans_keeps_its_agents_session_and_its_workspace(chat: SessionState) -> None:
    planning = sent(chat, PLANNING)
    assert planning.conversation.role is SessionRole.PLANNER
    assert planning.conversation.agent_session == "agent-1"
    assert primer_of(INPUT, planning) is None or not planning.conversation.is_fresh


def test_only_a_chats_turn_is_checkpointed() -> None:
    number = TurnId(f"{SESSION}/turn-2")
    assert INPUT.commit_of(number, 2, SessionRole.PLANNER) is None
    assert INPUT.commit_of(number, 2, SessionRole.CHAT) is not None


def test_the_same_role_again_changes_nothing(chat: SessionState) -> None:
    planning = sent(chat, PLANNING)
    assert sent(planning, PLANNING) == planning


def test_a_chat_that_is_reset_begins_with_a_fresh_context(chat: SessionState) -> None:
    reset = sent(chat, PLANNING, ChangeRole(role=SessionRole.CHAT, is_reset=True))
    assert reset.conversation.role is SessionRole.CHAT
    assert reset.conversation.agent_session is None
    # what it has to know comes with its next prompt, not around it
    assert (reset.conversation.reset_after, reset.conversation.is_fresh) == (1, False)
    assert reset.remembered == ()


def test_the_turn_of_a_planner_that_is_not_needed_any_more_is_stopped(chat: SessionState) -> None:
    asked = QueuePrompt(key="plan", prompt=Prompt(fields={"goal": "Shop"}))
    planning = sent(chat, PLANNING, asked, BeginTurn())
    back = sent(planning, ChangeRole(role=SessionRole.CHAT))
    assert back.is_stop_requested
    stopped = TurnResult(turn_id=TurnId(f"{SESSION}/turn-2"), stop_reason=StopReason.CANCELLED)
    assert not sent(back, EndTurn(result=stopped)).has_turn


def test_the_turn_of_a_chat_is_not_stopped_when_it_begins_to_plan(chat: SessionState) -> None:
    asked = QueuePrompt(key="more", prompt=Prompt(fields={"text": "And?"}))
    assert not sent(chat, asked, BeginTurn(), PLANNING).is_stop_requested


def test_what_people_said_and_nobody_read_goes_to_the_work_as_they_said_it(
    chat: SessionState,
) -> None:
    fields = {"text": "Use a set", "tasks": "old news"}
    said = QueuePrompt(key="m", prompt=Prompt(name=PromptName.COORDINATOR, fields=fields, by="ada"))
    ours = QueuePrompt(key="own", prompt=Prompt(name=PromptName.OWN_TURN, fields={"text": "x"}))
    lent = sent(chat, PLANNING, ours, said, ChangeRole(role=SessionRole.TASK, is_reset=True))
    told = Prompt(fields={"text": "Use a set"}, by="ada")
    assert unread_of(lent) == (QueuePrompt(key="m", prompt=told),)

    passed = sent(lent, PassMessages())
    assert unread_of(passed) == ()
    assert [each.message_id for each in passed.conversation.messages] == ["own"]
    with pytest.raises(WrongStateError):  # it is not withdrawn: the work has it
        sent(passed, WithdrawMessage(message_id="m"))


def test_a_chat_passes_nothing_on(chat: SessionState) -> None:
    said = QueuePrompt(key="m", prompt=Prompt(fields={"text": "Use a set"}, by="ada"))
    waiting = sent(chat, said)
    assert sent(waiting, PassMessages()) == waiting
    running = sent(chat, said, BeginTurn(), ChangeRole(role=SessionRole.TASK))
    assert unread_of(running) == ()


def test_a_closed_session_takes_no_role(chat: SessionState) -> None:
    closed = sent(chat, Close())
    assert sent(closed, PLANNING) == closed
