"""Who takes care of a thread, and whose inbox an item is in."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.conversations.questions.question import Question, QuestionKind
from domain.conversations.questions.views import OpenQuestion
from domain.core.approvals import Subject
from domain.core.four_eyes import FourEyes
from domain.core.lifecycle.commands import Assign
from domain.people.roles import EVERY_PROJECT, Role
from domain.reading.inbox.item import InboxItem, InboxKind
from domain.reading.inbox.own import is_of, marked
from tests.domain.planning_world import World

PEOPLE = st.sampled_from(["anna", "ben", "carl", "dora"])
ROLES = st.sampled_from(list(Role))


def item(kind=InboxKind.GATE, **fields):
    return InboxItem(
        item_id="x", kind=kind, workflow_id="x", since=datetime.now(UTC), project="/a", **fields
    )


def everywhere(role):
    return lambda _project: role


def test_a_thread_is_assigned_and_freed_again() -> None:
    world = World()
    assert world.send(Assign(person="ben", by="anna")).message == "assigned to ben"
    assert world.state.lifecycle.assignee == "ben"
    count = len(world.log)
    world.send(Assign(person=" ben ", by="carl"))
    assert len(world.log) == count
    assert world.send(Assign(person="", by="ben")).message == "assigned to nobody"
    assert world.state.lifecycle.assignee == ""


@given(st.one_of(st.just(""), PEOPLE), st.sampled_from(list(InboxKind)), PEOPLE, ROLES, ROLES)
def test_what_is_mine_needs_the_role_and_nobody_else_who_is_assigned(
    assignee: str, kind: InboxKind, opened_by: str, low: Role, high: Role
) -> None:
    asked = item(kind, assignee=assignee, opened_by=opened_by)
    if is_of(asked, "anna", everywhere(low)):
        assert assignee in {"", "anna"}
        assert low.allows(Role.AUTHOR)
        assert high.rank < low.rank or is_of(asked, "anna", everywhere(high))
    assert is_of(asked, "anna", everywhere(Role.ADMIN)) is (assignee in {"", "anna"})


@given(st.booleans(), st.integers(1, 3), st.lists(PEOPLE, max_size=3), st.lists(PEOPLE, max_size=3))
def test_what_is_mine_is_what_my_approval_brings_forward(
    plan_by_another: bool, count: int, authors: list[str], approvers: list[str]
) -> None:
    rule = FourEyes(plan_by_another=plan_by_another, gate_approvals=count)
    for subject in (Subject.PLAN, Subject.GATE):
        needed = rule.needed_for(subject, authors)
        asked = item(not_by=(needed.not_by(approvers),))
        is_open = needed.missing(approvers) != ""
        brings = needed.missing([*approvers, "anna"]) != needed.missing(approvers)
        if is_open and is_of(asked, "anna", everywhere(Role.APPROVER)):
            assert brings
        if is_open and needed.missing([*approvers, "anna"]) == "":
            assert is_of(asked, "anna", everywhere(Role.APPROVER))


def test_one_of_several_plans_that_i_may_approve_is_enough() -> None:
    approver = everywhere(Role.APPROVER)
    assert is_of(item(not_by=(("anna",), ())), "anna", approver)
    assert not is_of(item(not_by=(("anna",), ("ben", "anna"))), "anna", approver)


@pytest.mark.parametrize(
    ("kind", "role"),
    [
        (InboxKind.PLAN, Role.APPROVER),
        (InboxKind.GATE, Role.APPROVER),
        (InboxKind.QUESTION, Role.APPROVER),
        (InboxKind.DECISION, Role.AUTHOR),
        (InboxKind.CONFLICT, Role.AUTHOR),
        (InboxKind.ESCALATION, Role.AUTHOR),
        (InboxKind.PULL_REQUEST, Role.AUTHOR),
        (InboxKind.ISSUE, Role.AUTHOR),
        (InboxKind.HOST_SILENT, Role.ADMIN),
    ],
)
def test_each_kind_is_of_those_with_the_role_that_answers_it(kind: InboxKind, role: Role) -> None:
    held = [each for each in Role if is_of(item(kind), "anna", everywhere(each))]
    assert held == [each for each in Role if each.allows(role)]


def test_a_choice_that_an_agent_asks_for_is_of_authors_too() -> None:
    asked = Question(
        question_id="q",
        session_id="s",
        turn_id="t",
        kind=QuestionKind.DECISION,
        title="?",
        options=(),
    )
    choice = item(InboxKind.QUESTION, question=OpenQuestion(question=asked, workflow_id="x"))
    assert is_of(choice, "anna", everywhere(Role.AUTHOR))


def test_the_role_is_that_of_each_items_project() -> None:
    roles = {"/a": Role.VIEWER, EVERY_PROJECT: Role.ADMIN}
    silent = item(InboxKind.HOST_SILENT).model_copy(update={"project": ""})
    shown = marked([item(), silent], "anna", lambda project: roles[project])
    assert [each.is_mine for each in shown] == [False, True]
