"""Planning goes on in the chat that it was asked in, and gives it back."""

from typing import Any

import pytest

from domain.agents.agents import PromptName, SessionRole
from domain.conversations.commands import OpenSession, SendMessage
from domain.core.approval_commands import Approve, Reject
from domain.core.errors import NotFoundError
from domain.plans.status import PlanStatus
from domain.tasks.agent_commands import SuggestPlanning
from domain.threads.patches import ALL
from domain.threads.planning.commands import PlannerChoice, RequestPlan
from tests.domain.planning_world import FIRST, SECOND, World


@pytest.fixture
def chat() -> World:
    world = World(is_planned=False, patches=ALL)
    world.ended(FIRST)
    return world


def role_of(world: World, session: str = FIRST) -> SessionRole:
    return world.state.sessions[session].role


def suggested(world: World) -> None:
    world.send(SuggestPlanning(session_id=FIRST, reason="It is large", goal="Shop 2"))
    world.decide(Approve, "suggestion-1")


def typed(world: World) -> None:
    world.send(SendMessage(text="/plan Shop 2", session_id=FIRST, command_id="p", by="ada"))


def requested(world: World) -> None:
    world.send(RequestPlan(goal="Shop 2", command_id="p"))


@pytest.mark.parametrize("ask", [suggested, typed, requested])
def test_the_chat_goes_on_as_the_planner(chat: World, ask: Any) -> None:
    ask(chat)
    assert list(chat.state.planning.planners) == [FIRST]
    assert list(chat.state.sessions) == [FIRST]
    assert role_of(chat) is SessionRole.PLANNER
    prompt = chat.last_prompt(FIRST)
    assert (prompt.name, prompt.fields["goal"]) == (PromptName.PLANNER, "Shop 2")
    assert chat.propose() == 1


def test_the_same_request_again_changes_nothing(chat: World) -> None:
    requested(chat)
    before = chat.state
    requested(chat)
    assert chat.state == before


def test_rivals_plan_beside_the_chat_with_the_talk_as_they_are_told_it(chat: World) -> None:
    rival = PlannerChoice(agent="two")
    chat.send(RequestPlan(goal="Shop 2", rivals=(rival,), context="We want receipts."))
    assert list(chat.state.planning.planners) == [FIRST, SECOND]
    assert chat.last_prompt(FIRST).fields["earlier"] == ""
    assert chat.last_prompt(SECOND).fields["earlier"] == "We want receipts."


def test_another_agent_plans_in_a_session_of_its_own_and_the_chat_stays(chat: World) -> None:
    chat.send(RequestPlan(goal="Shop 2", agent="two", context="We want receipts."))
    assert list(chat.state.planning.planners) == [SECOND]
    assert chat.last_prompt(SECOND).fields["earlier"] == "We want receipts."
    assert role_of(chat) is SessionRole.CHAT


def test_an_approved_plan_resets_the_context_of_the_chat_which_coordinates(chat: World) -> None:
    requested(chat)
    chat.propose(tasks=[{"id": "a", "title": "A", "description": "Do A"}])
    chat.decide(Approve, "plan-1", is_acknowledged=True)
    assert chat.state.plan_status is PlanStatus.ACTIVE
    assert role_of(chat) is SessionRole.CHAT
    assert chat.state.coordinator == FIRST
    assert list(chat.state.sessions) == [FIRST]
    assert [p.is_reset for p in chat.state.prompts if p.role is SessionRole.CHAT] == [True]


def test_feedback_goes_to_the_chat_that_plans(chat: World) -> None:
    requested(chat)
    chat.propose()
    chat.decide(Reject, "plan-1", feedback="smaller")
    assert chat.last_prompt(FIRST).name is PromptName.PLANNER_FEEDBACK
    assert role_of(chat) is SessionRole.PLANNER


def test_cancelled_planning_gives_the_chat_back_with_what_it_knows(chat: World) -> None:
    requested(chat)
    chat.send(SendMessage(text="/plan cancel", command_id="c", by="ada"))
    assert role_of(chat) is SessionRole.CHAT
    assert not chat.state.sessions[FIRST].is_archived
    assert (chat.state.plan_status, chat.state.status) == (PlanStatus.IDLE, "chat")
    assert not any(p.is_reset for p in chat.state.prompts)


def test_planning_anew_in_another_chat_gives_the_first_one_back(chat: World) -> None:
    requested(chat)
    chat.send(OpenSession(command_id="o"))
    chat.send(SendMessage(text="Hello", session_id=SECOND, command_id="m"))
    chat.send(RequestPlan(goal="Shop 3", session_id=SECOND, command_id="q"))
    assert (role_of(chat), role_of(chat, SECOND)) == (SessionRole.CHAT, SessionRole.PLANNER)


def test_a_session_that_was_never_spoken_to_does_not_plan(chat: World) -> None:
    chat.send(OpenSession(command_id="o"))
    chat.send(RequestPlan(goal="Shop 2", session_id=SECOND))
    assert list(chat.state.planning.planners) == [f"{FIRST[:-1]}3"]


def test_a_session_that_there_is_not_is_refused(chat: World) -> None:
    with pytest.raises(NotFoundError, match="no session"):
        chat.send(RequestPlan(session_id="thread-a/session-9"))


def test_threads_of_before_open_a_planner() -> None:
    world = World(is_planned=False)
    requested(world)
    assert list(world.state.planning.planners) == [SECOND]
