"""Rivals, revisions, critics, suggestions: what a person and planners can do before a plan runs."""

from typing import Any

import pytest

from domain.agents.agents import PromptName, SessionRole
from domain.conversations.commands import SendMessage
from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import Decider
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    InvalidPlanError,
    NotFoundError,
    NotShownError,
    WarningsNotAcknowledgedError,
    WrongStateError,
)
from domain.plans.status import PlanStatus
from domain.tasks.agent_commands import InvitePlanner, SuggestPlanning
from domain.threads.planning import commands
from tests.domain.planning_world import FIRST, SECOND, World

RING = {
    "tasks": [
        {"id": "a", "title": "A", "depends_on": ["b"]},
        {"id": "b", "title": "B", "depends_on": ["a"]},
    ]
}


@pytest.fixture
def world() -> World:
    return World()


def with_rival(world: World) -> World:
    world.send(commands.AddPlanner(agent="two", command_id="c"))
    return world


def test_rivals_plan_the_same_and_selecting_one_closes_the_others(world: World) -> None:
    with_rival(world)
    assert world.last_prompt(SECOND).fields["goal"] == "Shop"
    world.propose(FIRST, summary="first")
    world.propose(SECOND, summary="second")
    assert list(world.state.requests) == ["plan-1", "plan-2"]
    shown = world.state.requests["plan-1"].content_hash

    world.decide(Approve, "plan-2")

    assert world.state.plan_status is PlanStatus.ACTIVE
    assert world.state.plan
    assert world.state.plan.summary == "second"
    assert not world.state.requests
    assert all(world.state.sessions[s].is_archived for s in (FIRST, SECOND))
    assert "plan_superseded" in world.kinds
    with pytest.raises(NotShownError, match="was replaced by plan-2"):
        world.send(Approve(request_id="plan-1", content_hash=shown, by="eve"))


def test_feedback_to_one_planner_leaves_the_other_plan_open(world: World) -> None:
    with_rival(world)
    world.propose(FIRST, summary="first")
    world.propose(SECOND, summary="second")
    world.decide(Reject, "plan-2", feedback="fewer tasks")
    assert list(world.state.requests) == ["plan-1"]
    assert world.last_prompt(SECOND).name is PromptName.PLANNER_FEEDBACK
    world.propose(SECOND, summary="third")
    assert list(world.state.requests) == ["plan-1", "plan-3"]


def test_a_new_revision_takes_the_place_of_the_planners_earlier_one_only(world: World) -> None:
    with_rival(world)
    for session, summary in ((FIRST, "1"), (SECOND, "2"), (FIRST, "3")):
        world.propose(session, summary=summary)
    assert list(world.state.requests) == ["plan-2", "plan-3"]
    assert [p.revision for p in world.state.plans] == [1, 2, 3]


def test_the_same_plan_again_changes_nothing(world: World) -> None:
    world.propose()
    before = len(world.log)
    world.propose()
    assert len(world.log) == before


def test_at_most_five_planners_work_side_by_side(world: World) -> None:
    choice = commands.PlannerChoice(agent="two")
    world.send(commands.RequestPlan(rivals=(choice,) * 4))
    assert len(world.state.planning.planners) == 5
    with pytest.raises(WrongStateError, match="at most 5"):
        world.send(commands.AddPlanner(agent="two"))


def test_a_planner_invites_another_one_once(world: World) -> None:
    invite = InvitePlanner(session_id=FIRST, agent="two", command_id="call-1")
    said = world.send(invite)
    assert world.send(invite).data == said.data == {"session_id": SECOND}
    with pytest.raises(WrongStateError):
        world.send(InvitePlanner(session_id="stranger", agent="two"))


def test_a_repaired_plan_is_approved_only_with_its_warnings_acknowledged(world: World) -> None:
    world.propose(plan=RING)
    with pytest.raises(WarningsNotAcknowledgedError, match="a → b → a"):
        world.decide(Approve, "plan-1")
    assert world.state.plan_status is PlanStatus.IDLE
    world.decide(Approve, "plan-1", is_acknowledged=True)
    assert world.state.plan_status is PlanStatus.ACTIVE


def test_a_fenced_plan_is_taken_and_its_problems_come_back(world: World) -> None:
    world.ended(turn=1, text='```json\n{"tasks": [{"id": "A B", "title": "x"}]}\n```')
    assert world.last_prompt(FIRST).name is PromptName.PLAN_REFUSED
    assert "bad_id" in world.last_prompt(FIRST).fields["problems"]
    world.ended(turn=2, text='Here.\n```plan\n{"summary": "x"}\n```')
    assert list(world.state.requests) == ["plan-1"]
    before = len(world.log)
    world.ended(turn=2, text='Here.\n```plan\n{"summary": "x"}\n```')
    assert len(world.log) == before


def test_prose_is_asked_about_twice_and_never_becomes_a_plan(world: World) -> None:
    for turn in (1, 2, 3):
        world.ended(turn=turn, text="Let us look around first.")
    assert world.kinds.count("planner_nudged") == 2
    assert world.kinds[-1] == "planning_failed"
    assert not world.state.plans
    assert world.state.status == "failed"


def test_a_reply_after_a_plan_by_tool_is_not_taken_for_another_one(world: World) -> None:
    world.propose()
    world.ended(text='```json\n{"name": "a package"}\n```')
    assert list(world.state.requests) == ["plan-1"]
    assert "planner_nudged" not in world.kinds


def test_a_planner_that_only_answers_keeps_its_plan(world: World) -> None:
    world.propose()
    world.send(SendMessage(text="Why so?", session_id=FIRST))
    world.ended(turn=2, text="Because.")
    assert list(world.state.requests) == ["plan-1"]
    assert "planner_nudged" not in world.kinds


def test_a_rival_that_fails_is_no_failure_of_the_thread(world: World) -> None:
    with_rival(world)
    world.ended(SECOND, failure="it exited")
    assert world.state.status == "planning"
    world.ended(FIRST, failure="it exited")
    assert world.state.status == "failed"


def test_files_that_a_planner_changed_are_told_once(world: World) -> None:
    for _ in range(2):
        world.ended(turn=1, discarded=("a.py",))
    assert world.kinds.count("planner_wrote") == 1


def test_an_edit_is_a_revision_of_the_persons_own(world: World) -> None:
    world.propose(summary="first")
    answer = world.send(commands.EditPlan(revision=1, plan={"summary": "mine"}, by="ada"))
    assert answer.data["request"]["request_id"] == "plan-2"
    assert list(world.state.requests) == ["plan-2"]
    edited = world.state.plans[-1]
    assert (edited.by, edited.session_id, edited.plan.goal) == ("ada", FIRST, "Shop")
    assert "mine" in edited.handoff
    world.decide(Reject, "plan-2", feedback="think again")
    assert "mine" in world.last_prompt(FIRST).fields["plan"]


def test_an_edited_handoff_stays_and_is_what_agents_get(world: World) -> None:
    world.propose()
    world.send(commands.EditPlan(revision=1, handoff="Only this."))
    world.send(commands.EditPlan(revision=2, plan={"summary": "other"}))
    world.decide(Approve, "plan-3")
    assert world.state.handoff == "Only this."


@pytest.mark.parametrize(
    ("edit", "error"),
    [
        ({"revision": 1}, InvalidError),
        ({"revision": 9, "handoff": "x"}, NotFoundError),
        ({"revision": 1, "handoff": "x" * 40_000}, InvalidError),
        ({"revision": 1, "plan": "prose"}, InvalidPlanError),
    ],
)
def test_a_bad_edit_changes_nothing(world: World, edit: dict[str, Any], error: type[Any]) -> None:
    world.propose()
    before = world.state
    with pytest.raises(error):
        world.send(commands.EditPlan(**edit))
    assert world.state == before


def test_an_older_revision_is_not_edited(world: World) -> None:
    world.propose(summary="1")
    world.propose(summary="2")
    with pytest.raises(WrongStateError, match="is not asked about"):
        world.send(commands.EditPlan(revision=1, handoff="x"))


def test_a_planner_is_asked_to_take_over_parts_of_anothers_plan(world: World) -> None:
    with_rival(world)
    world.propose(FIRST, summary="mine")
    world.propose(SECOND, summary="theirs", key_risk="PCI")
    world.send(commands.CombinePlans(revision=1, other=2, feedback="its risk"))
    prompt = world.last_prompt(FIRST)
    assert prompt.name is PromptName.COMBINE_PLANS
    assert "PCI" in prompt.fields["plan"]
    with pytest.raises(InvalidError):
        world.send(commands.CombinePlans(revision=1, other=1, feedback="x"))


def test_a_critics_word_stands_with_the_plan_and_is_put_away_with_it(world: World) -> None:
    world.propose()
    world.send(commands.RequestCritique(revision=1, agent="two"))
    assert world.state.sessions[SECOND].role is SessionRole.REVIEWER
    assert world.state.plans[0].critiques[0].text == ""
    for _ in range(2):
        world.ended(SECOND, text="Task a is missing.")
    assert world.kinds.count("plan_critiqued") == 1
    assert world.state.plans[0].critiques[0].text == "Task a is missing."
    world.decide(Approve, "plan-1")
    assert world.state.sessions[SECOND].is_archived


def test_auto_starts_a_sound_plan_of_the_only_planner_in_the_name_of_who_set_it(
    world: World,
) -> None:
    world.state = world.state.model_copy(update={"is_auto": True, "auto_by": "ada"})
    world.propose()
    outcome = world.state.outcomes["plan-1"]
    assert world.state.plan_status is not PlanStatus.IDLE
    assert (outcome.by, outcome.decider) == ("auto, set by ada", Decider.POLICY)


def test_auto_asks_where_there_are_warnings_or_rivals(world: World) -> None:
    world.state = world.state.model_copy(update={"is_auto": True, "auto_by": "ada"})
    world.propose(plan=RING)
    assert list(world.state.requests) == ["plan-1"]
    with_rival(world)
    world.propose()
    assert list(world.state.requests) == ["plan-2"]


def test_a_suggestion_is_confirmed_before_anything_is_planned() -> None:
    world = World(is_planned=False)
    suggest = SuggestPlanning(session_id=FIRST, reason="It is large", goal="Shop 2")
    for _ in range(2):
        world.send(suggest)
    assert list(world.state.requests) == ["suggestion-1"]
    assert not world.state.planning.planners
    world.decide(Approve, "suggestion-1")
    assert world.state.goal == "Shop 2"
    assert list(world.state.planning.planners) == [SECOND]
    assert not world.state.sessions[FIRST].is_archived


def test_a_refused_suggestion_is_told_to_the_chat() -> None:
    world = World(is_planned=False)
    world.send(SuggestPlanning(session_id=FIRST, reason="It is large"))
    world.decide(Reject, "suggestion-1", feedback="just do it")
    assert "just do it" in world.last_prompt(FIRST).fields["text"]
    shown = world.state.outcomes["suggestion-1"].content_hash
    with pytest.raises(AlreadyDecidedError):
        world.send(Approve(request_id="suggestion-1", content_hash=shown, by="eve"))
    world.send(SuggestPlanning(session_id=FIRST, reason="Still large"))
    assert list(world.state.requests) == ["suggestion-2"]


def test_a_planner_suggests_no_planning_and_none_is_done_where_it_is_off(world: World) -> None:
    with pytest.raises(WrongStateError):
        world.send(SuggestPlanning(session_id=FIRST, reason="x"))
    off = World(is_planned=False, enabled=False)
    for command in (commands.RequestPlan(), SuggestPlanning(session_id=FIRST, reason="x")):
        with pytest.raises(WrongStateError, match="turned off"):
            off.send(command)


def test_another_plan_is_refused_while_one_runs(world: World) -> None:
    world.propose()
    world.decide(Approve, "plan-1")
    with pytest.raises(WrongStateError, match="amendment"):
        world.send(commands.RequestPlan())
    with pytest.raises(WrongStateError, match="end your turn"):
        world.propose()


def test_what_a_continued_thread_needs_of_plans_is_carried(world: World) -> None:
    with_rival(world)
    for session, summary in ((FIRST, "1"), (SECOND, "2"), (FIRST, "3")):
        world.propose(session, summary=summary)
    world.state = world.state.without_old_texts()
    assert [p.plan.summary for p in world.state.plans] == ["", "2", "3"]
    world.decide(Approve, "plan-2")
