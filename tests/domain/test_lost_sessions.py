"""A session that ended by itself takes nothing with it: not what people said, and nobody waits for it."""

from typing import Any

import pytest

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.conversations.commands import Close, OpenSession, SendMessage
from domain.conversations.reports import EndSessionTurn
from domain.conversations.sessions import rules as session_rules
from domain.conversations.sessions.rules import QueuePrompt, as_said
from domain.conversations.sessions.state import SessionState
from domain.core.approval_commands import Approve, Reject
from domain.core.directories.commands import AskDirectory
from domain.core.errors import WrongStateError
from domain.core.lifecycle.commands import DeleteThread
from domain.plans.status import PlanStatus
from domain.tasks.status import TaskStatus
from domain.threads import rules
from domain.threads.patches import ALL, LOST_SESSIONS_ARE_REPLACED
from domain.threads.planning.commands import PlannerChoice, RequestPlan
from domain.threads.replacing.commands import LoseSession
from domain.threads.working.commands import ReturnMessages
from tests.domain.planning_world import FIRST, SECOND, THREAD, World
from tests.domain.test_work_in_session import approved, delivered, ended, lent
from tests.domain.world import NOW

THIRD = f"{THREAD}/session-3"
WHY = "its workflow has ended"


@pytest.fixture
def chat() -> World:
    world = World(is_planned=False, patches=ALL)
    world.ended(FIRST)
    return world


def lose(world: World, session: str = FIRST, *messages: str) -> None:
    unread = (
        QueuePrompt(key=f"{session}/{text}", prompt=Prompt(fields={"text": text}, by="ada"))
        for text in messages
    )
    world.send(LoseSession(session_id=session, reason=WHY, messages=tuple(unread)))


def say(world: World, text: str, **more: Any) -> None:
    world.send(SendMessage(text=text, command_id=text, by="ada", **more))


def waiting(world: World, session: str) -> list[str]:
    prompts = (p.prompt for p in world.state.prompts if p.session_id == session)
    return [prompt.fields.get("text", prompt.name) if prompt else "close" for prompt in prompts]


def open_sessions(world: World) -> list[str]:
    return [name for name, each in world.state.sessions.items() if not each.is_archived]


def test_what_waits_for_a_lost_chat_is_for_a_new_one(chat: World) -> None:
    say(chat, "one")
    say(chat, "two")
    lose(chat)
    assert open_sessions(chat) == [SECOND]
    assert (waiting(chat, FIRST), waiting(chat, SECOND)) == ([], ["one", "two"])
    assert chat.state.prompts[0].prompt.by == "ada"  # pyright: ignore[reportOptionalMemberAccess]


def test_what_its_agent_has_not_read_comes_first_and_nothing_comes_twice(chat: World) -> None:
    say(chat, "later")
    lose(chat, FIRST, "unread", "later")
    assert waiting(chat, SECOND) == ["unread", "later"]
    lose(chat, FIRST, "unread", "later", "found late")
    assert waiting(chat, SECOND) == ["unread", "later", "found late"]
    assert open_sessions(chat) == [SECOND]
    delivered(chat)
    lose(chat, SECOND)
    lose(chat, FIRST, "unread", "later", "found late")
    assert open_sessions(chat) == [THIRD]
    assert waiting(chat, THIRD) == []


def test_the_only_chat_is_replaced_at_once_and_takes_the_next_message(chat: World) -> None:
    lose(chat)
    say(chat, "hello")
    assert waiting(chat, SECOND) == ["hello"]
    with pytest.raises(WrongStateError, match="goes on in 'thread-a/session-2'"):
        say(chat, "more", session_id=FIRST)


def test_one_of_several_chats_is_archived_alone(chat: World) -> None:
    chat.send(OpenSession(command_id="open"))
    lose(chat)
    assert open_sessions(chat) == [SECOND]


def test_hearing_of_it_again_changes_nothing(chat: World) -> None:
    lose(chat)
    before = chat.state
    lose(chat)
    lose(chat, "thread-a/session-9")
    assert chat.state == before


def test_planning_that_was_asked_of_a_lost_chat_begins_in_a_new_session(chat: World) -> None:
    chat.send(RequestPlan(goal="Shop 2"))
    lose(chat)
    assert list(chat.state.planning.planners) == [SECOND]
    assert chat.state.sessions[SECOND].role is SessionRole.PLANNER
    assert (chat.state.status, waiting(chat, SECOND)) == ("planning", [PromptName.PLANNER])
    assert chat.last_prompt(SECOND).fields["goal"] == "Shop 2"
    assert chat.propose(SECOND) == 1


def test_a_rival_goes_on_beside_the_planner_that_takes_the_place_of_a_lost_chat(
    chat: World,
) -> None:
    chat.send(RequestPlan(goal="Shop 2", rivals=(PlannerChoice(agent="two"),)))
    lose(chat)
    assert list(chat.state.planning.planners) == [FIRST, SECOND, THIRD]
    assert not chat.state.planning_failure


def test_a_planner_that_was_lost_in_its_turn_is_known_to_have_failed() -> None:
    world = World(patches=ALL)
    world.ended(FIRST, text="looking")
    lose(world)
    assert world.state.planning_failure == WHY
    assert open_sessions(world) == []


def test_a_plan_of_a_lost_planner_is_approved_or_rejected_as_any_other() -> None:
    world = World(patches=ALL)
    delivered(world)
    world.propose(plan={"tasks": [{"id": "task-1", "title": "one"}]})
    lose(world)
    assert not world.state.planning_failure
    rejected = World(patches=ALL)
    delivered(rejected)
    rejected.propose()
    lose(rejected)
    rejected.decide(Reject, "plan-1", feedback="smaller")
    assert rejected.state.prompts
    lose(rejected)
    world.decide(Approve, "plan-1", is_acknowledged=True)

    assert world.state.plan_status is PlanStatus.ACTIVE
    assert (rejected.state.planning_failure, rejected.state.prompts) == (WHY, ())


def test_a_session_that_is_called_to_the_work_leaves_it_to_another() -> None:
    world = approved()
    say(world, "hurry", session_id=FIRST)
    lose(world)
    assert world.state.tasks["the-work"].status is TaskStatus.RUNNING  # pyright: ignore[reportArgumentType]
    assert world.state.working.is_gone
    assert waiting(world, FIRST) == ["hurry"]  # the work reads it


def test_a_lent_session_that_was_lost_is_replaced_after_the_work() -> None:
    world = lent()
    lose(world)
    assert open_sessions(world) == [FIRST]
    ended(world)
    say(world, "thanks", session_id=FIRST)
    lose(world)
    assert (open_sessions(world), waiting(world, SECOND)) == ([SECOND], ["thanks"])
    assert world.state.coordinator == SECOND
    assert world.state.status == "completed"


def test_the_turn_that_a_lost_chat_had_in_the_shared_directory_is_over(chat: World) -> None:
    chat.send(AskDirectory(session_id=FIRST, turn_id="t1"))  # pyright: ignore[reportArgumentType]
    lose(chat)
    assert chat.state.directory.turns == ()


def test_a_thread_that_is_deleted_waits_for_no_lost_session(chat: World) -> None:
    say(chat, "hello")
    chat.send(DeleteThread(is_forced=True))
    lose(chat)
    assert chat.state.prompts == ()
    assert list(chat.state.sessions) == [FIRST]


def test_a_chat_that_planned_before_is_no_planner_any_more() -> None:
    world = lent()
    ended(world)
    delivered(world)
    world.send(EndSessionTurn(session_id=FIRST, turn=0, failure=WHY))
    assert "planning_failed" not in world.kinds
    assert not world.state.planning_failure


def test_threads_of_before_learn_of_a_planner_as_they_did() -> None:
    old = tuple(patch for patch in ALL if patch != LOST_SESSIONS_ARE_REPLACED)
    world = World(patches=old)
    delivered(world)
    lose(world)
    assert world.kinds[-1] == "planning_failed"
    assert open_sessions(world) == [FIRST]
    assert rules.effects(world.state) == []


def test_planning_that_a_closed_session_was_given_begins_in_a_new_one(chat: World) -> None:
    chat.send(RequestPlan(goal="Shop 2"))
    (brief,) = chat.state.prompts
    assert brief.prompt is not None
    delivered(chat)
    given = QueuePrompt(key=brief.key, prompt=brief.prompt)
    chat.send(LoseSession(session_id=FIRST, reason=WHY, messages=(given,)))
    assert list(chat.state.planning.planners) == [SECOND]
    assert waiting(chat, SECOND) == [PromptName.PLANNER]


@pytest.mark.parametrize("rivals", [(), (PlannerChoice(agent="gemini"),)])
@pytest.mark.parametrize("comes_again", [False, True])
def test_a_brief_that_comes_back_after_the_end_was_told_is_for_a_new_planner(
    chat: World, comes_again: bool, rivals: tuple[PlannerChoice, ...]
) -> None:
    chat.send(RequestPlan(goal="Shop 2", rivals=rivals))
    brief = next(p for p in chat.state.prompts if p.session_id == FIRST)
    assert brief.prompt is not None
    delivered(chat)
    lose(chat)
    late = LoseSession(
        session_id=FIRST,
        reason=WHY,
        messages=(QueuePrompt(key=brief.key, prompt=brief.prompt),),
    )
    for _ in range(1 + comes_again):
        chat.send(late)
    newest = list(chat.state.sessions)[-1]
    assert waiting(chat, newest) == [PromptName.PLANNER]
    assert [p.prompt.name for p in chat.state.prompts if p.prompt] == [PromptName.PLANNER]
    assert newest in chat.state.planning.planners
    assert chat.state.sessions[newest].role is SessionRole.PLANNER
    assert (chat.state.status, chat.state.planning_failure) == ("planning", "")


def test_a_session_says_what_it_had_not_read_when_it_was_closed() -> None:
    queued = QueuePrompt(key="m", prompt=Prompt(fields={"text": "later"}, by="ada"))
    own = QueuePrompt(key="own", prompt=Prompt(name=PromptName.OWN_TURN))
    state = SessionState()
    for command in (queued, own, Close(by="me")):
        state = session_rules.fold(state, session_rules.decide(state, command, NOW).events)
    assert (state.closed_by, as_said(state.left)) == ("me", (queued,))


def test_what_the_work_was_told_is_not_told_to_the_session_after_it() -> None:
    world = lent()
    lose(world, FIRST, "M1")
    assert waiting(world, FIRST) == ["M1"]
    delivered(world)
    ended(world)
    lose(world)
    lose(world, FIRST, "M1")  # a worker that starts reports it anew
    assert (open_sessions(world), waiting(world, SECOND)) == ([SECOND], [])


@pytest.mark.parametrize("is_lost_before", [False, True])
def test_what_the_work_of_a_lost_session_did_not_read_is_read_by_the_next(
    *, is_lost_before: bool
) -> None:
    world = lent()
    lose(world, FIRST, "M1")
    (again,) = world.state.prompts
    assert again.prompt is not None
    delivered(world)
    ended(world)
    back = ReturnMessages(messages=(QueuePrompt(key=again.key, prompt=again.prompt),))
    for step in ("lost", "back") if is_lost_before else ("back", "lost"):
        if step == "lost":
            lose(world)
        else:
            world.send(back)
    lose(world, FIRST, "M1")
    assert (open_sessions(world), waiting(world, SECOND)) == ([SECOND], ["M1"])


def test_sessions_lost_in_a_row_have_one_successor(chat: World) -> None:
    lose(chat)
    lose(chat, SECOND)
    lose(chat, FIRST, "found late")
    assert (open_sessions(chat), waiting(chat, THIRD)) == ([THIRD], ["found late"])


def test_what_is_found_late_of_a_session_put_away_before_is_for_one_session() -> None:
    world = World(patches=ALL)
    world.ended(FIRST, text="looking")
    lose(world)
    lose(world, FIRST, "one")
    lose(world, FIRST, "one", "two")
    assert (open_sessions(world), waiting(world, SECOND)) == ([SECOND], ["one", "two"])
