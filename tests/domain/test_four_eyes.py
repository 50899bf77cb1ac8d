"""Four eyes: which people are enough, for every order in which they approve."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import DoneReport, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn
from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import Choice, Subject
from domain.core.autonomy import Autonomy
from domain.core.four_eyes import FourEyes, Needed
from domain.core.ids import SessionId, TaskId, TurnId
from domain.core.workspaces import Snapshot
from domain.people.directory import Directory
from domain.plans.plan import PlannedTask
from domain.plans.settings import PlannerSettings
from domain.plans.status import PlanStatus
from domain.tasks import rules
from domain.tasks.commands import OpenTask
from domain.tasks.state import Phase, TaskState
from domain.threads.commands import OpenThread
from tests.domain.core.tank import NOW
from tests.domain.planning_world import OPENED, THREAD, World

PEOPLE = st.sampled_from(["anna", "ben", "carl", "dora"])


@given(st.integers(1, 4), st.lists(PEOPLE, max_size=8))
def test_a_gate_needs_different_people_however_often_each_approves(
    count: int, approvers: list[str]
) -> None:
    needed = FourEyes(gate_approvals=count).needed_for(Subject.GATE, ["anna"])
    assert (needed.missing(approvers) == "") is (len(set(approvers)) >= count)


@given(st.lists(PEOPLE, max_size=3), st.lists(PEOPLE, min_size=1, max_size=8))
def test_a_plan_needs_somebody_who_is_none_of_its_authors(
    authors: list[str], approvers: list[str]
) -> None:
    needed = FourEyes(plan_by_another=True).needed_for(Subject.PLAN, authors)
    is_enough = not authors or bool(set(approvers) - set(authors))
    assert (needed.missing(approvers) == "") is is_enough


@given(st.lists(PEOPLE, max_size=6), PEOPLE)
def test_one_more_approval_never_makes_less_of_what_is_there(
    approvers: list[str], one: str
) -> None:
    for needed in (Needed(count=2), Needed(authors=("anna", "ben")), Needed()):
        if not needed.missing(approvers):
            assert not needed.missing([*approvers, one])


def test_without_a_rule_one_person_is_enough() -> None:
    for subject in Subject:
        assert FourEyes().needed_for(subject, ["anna"]).missing(["anna"]) == ""


def test_the_strictest_rule_that_names_a_project_holds() -> None:
    directory = Directory.model_validate(
        {
            "users": {"anna": {"roles": {"*": "admin"}}},
            "projects": {
                "*": {"gate_approvals": 2},
                "/srv/shop": {"plan_by_another": True},
                "shop": {"gate_approvals": 3},
            },
        }
    )
    assert directory.four_eyes("/srv/shop") == FourEyes(plan_by_another=True, gate_approvals=3)
    assert directory.four_eyes("/srv/other") == FourEyes(gate_approvals=2)


def at_gate(approvals: int, *, is_gate_automatic: bool = False) -> TaskState:
    state = TaskState()
    opening = OpenTask(
        task=PlannedTask(id=TaskId("task-1"), title="do it", description="all of it"),
        run=1,
        session_id=SessionId("thread-x/task-1/session-1"),
        agent="a",
        branch=None,
        max_retries=3,
        is_gate_automatic=is_gate_automatic,
        gate_approvals=approvals,
    )
    result = TurnResult(
        turn_id=TurnId("thread-x/task-1/session-1/turn-1"),
        report=DoneReport(summary="did it"),
        snapshot=Snapshot(base="a" * 40, commit="b" * 40, tree="c" * 40),
    )
    for command in (opening, BeginTurn(), EndTurn(result=result)):
        state = rules.fold(state, rules.decide(state, command, NOW).events)
    return state


def decide(state: TaskState, kind: type[Approve | Reject], by: str, **fields: str):
    request = state.request
    assert request is not None
    named = {"request_id": request.request_id, "content_hash": request.content_hash, "by": by}
    decided = rules.decide(state, kind(**named, **fields), NOW)
    return rules.fold(state, decided.events), decided


def test_a_gate_opens_for_two_people_and_says_what_is_missing() -> None:
    state, first = decide(at_gate(2), Approve, "anna")
    assert state.phase is Phase.AT_GATE
    assert "1 of 2 approvals, by anna" in first.answer.message
    state, again = decide(state, Approve, "anna")
    assert again.events == ()
    assert state.phase is Phase.AT_GATE
    state, second = decide(state, Approve, "ben")
    assert state.phase is Phase.ENDED
    (outcome,) = state.outcomes.values()
    assert outcome.people == ("anna", "ben")
    assert "approved" in second.answer.message


def test_one_person_rejects_after_others_approved() -> None:
    state, _ = decide(at_gate(3), Approve, "anna")
    state, _ = decide(state, Reject, "ben", feedback="no")
    assert state.phase is Phase.WORKING
    (outcome,) = state.outcomes.values()
    assert (outcome.choice, outcome.people) == (Choice.REJECT, ("ben",))


def test_no_policy_passes_a_gate_of_two_people() -> None:
    assert at_gate(1, is_gate_automatic=True).phase is Phase.ENDED
    assert at_gate(2, is_gate_automatic=True).phase is Phase.AT_GATE


def strict(**settings: bool) -> World:
    world = World(**settings)
    opened = OPENED.model_copy(update={"four_eyes": FourEyes(plan_by_another=True)})
    world.state, world.log = type(world.state)(thread_id=THREAD), []
    world.send(
        OpenThread(
            thread_id=THREAD,
            goal="Shop",
            agent="one",
            opened=opened,
            is_planned=True,
            opened_by="anna",
            planner=PlannerSettings(**settings),
        )
    )
    return world


def approve(world: World, by: str, **fields: object) -> str:
    request = next(iter(world.state.requests.values()))
    named = {"request_id": request.request_id, "content_hash": request.content_hash, "by": by}
    return world.send(Approve(**named, **fields)).message


def test_who_opened_a_thread_does_not_approve_its_plan_alone() -> None:
    world = strict()
    world.propose()
    assert "anna opened or edited it" in approve(world, "anna")
    assert world.state.plan_status is PlanStatus.IDLE
    approve(world, "anna", autonomy=Autonomy.AUTO)
    assert world.state.plan_status is PlanStatus.IDLE
    approve(world, "ben")
    assert world.state.plan_status is PlanStatus.ACTIVE
    (outcome,) = world.state.outcomes.values()
    assert outcome.people == ("anna", "ben")


def test_somebody_else_approves_a_plan_alone() -> None:
    world = strict()
    world.propose()
    approve(world, "ben")
    assert world.state.plan_status is PlanStatus.ACTIVE


def test_a_standing_word_starts_no_plan_that_needs_another_person() -> None:
    world = strict(auto_run=True)
    world.propose()
    assert world.state.plan_status is PlanStatus.IDLE


@pytest.mark.parametrize("by", ["", "anna"])
def test_nobody_in_particular_is_one_person(by: str) -> None:
    needed = FourEyes(gate_approvals=2).needed_for(Subject.GATE)
    assert needed.missing([by, by, by])
