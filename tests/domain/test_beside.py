"""Repositories beside a thread's own: their names, what agents are told, and what is refused for now."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import SessionRole
from domain.core.beside import OpenedBeside, changed_by, describe_beside, names_of, variable_of
from domain.core.errors import InvalidError, InvalidPlanError, WrongStateError
from domain.core.ids import CommandId, ThreadId
from domain.core.workspaces import RepositoryFacts
from domain.forges.projects import project_of
from domain.plans.proposals.limits import PlanRules
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate
from domain.tasks.running_commands import Publish
from domain.threads import rules
from domain.threads.calls import OpenedThread
from domain.threads.commands import OpenThread
from domain.threads.landing.commands import MergeBranch
from domain.threads.planning.plan_rules import plan_rules
from domain.threads.publishing.effects import EndPush
from domain.threads.publishing.publication import PublishStage, PushedBeside, PushedBranch
from domain.threads.state import ThreadState
from tests.domain.world import NOW

API = OpenedBeside(
    name="api", repository="/work/api", begins_at="b" * 40, since="a" * 40, head_branch="main"
)


def opened(*, is_planned: bool, template: PlanTemplate | None = None) -> ThreadState:
    """Return a thread on `/work/web` with `api` beside it."""
    state = ThreadState(thread_id=ThreadId("thread-test-1"))
    found = OpenedThread(
        facts=RepositoryFacts(root="/work/web", head="a" * 40, head_branch="main"),
        template=template or PlanTemplate(name="plain"),
        branch="treadle/x",
        host="here",
        begins_at="a" * 40,
        name="web",
        beside=(API,),
    )
    opening = OpenThread(
        thread_id=state.thread_id, goal="talk", agent="fake", opened=found, is_planned=is_planned
    )
    return rules.fold(state, rules.decide(state, opening, NOW).events)


def test_repositories_are_called_as_their_folders():
    assert names_of(["/work/web", "/work/next.js", "/elsewhere/web"]) == ("web", "next.js", "web-2")


@given(st.lists(st.text(max_size=12).map(lambda name: f"/work/{name}"), max_size=6))
def test_names_are_plain_and_no_two_have_one_variable(folders):
    names = names_of(folders)

    assert len({variable_of(name) for name in names}) == len(folders)
    for name in names:
        assert name
        assert "/" not in name
        assert not name.startswith((".", "-"))
        assert variable_of(name).isidentifier()
        assert not name.endswith((".removed", ".index", ".checkout", ".lock"))


def test_agents_are_told_where_a_repository_is():
    assert describe_beside([API]) == "- api: `../api`, also $TREADLE_REPOSITORY_API"
    assert describe_beside([]) == ""


@pytest.mark.parametrize("is_planned", [True, False])
def test_the_first_agent_of_a_thread_is_told_of_them(is_planned):
    state = opened(is_planned=is_planned)

    (prompt,) = (queued.prompt for queued in state.prompts)
    assert any("../api" in text for text in prompt.fields.values())
    (session,) = state.sessions.values()
    assert session.role is (SessionRole.PLANNER if is_planned else SessionRole.CHAT)


def test_a_thread_with_one_repository_is_told_nothing():
    state = opened(is_planned=True)
    alone = state.opened.model_copy(update={"beside": (), "name": ""})

    assert "beside" not in alone.model_dump(mode="json")
    assert "name" not in alone.model_dump(mode="json")


def test_workspaces_know_what_they_must_of_them():
    (other,) = opened(is_planned=False).opened.others

    assert other.model_dump() == {
        "name": "api",
        "repository": "/work/api",
        "begins_at": "b" * 40,
        "since": "a" * 40,
    }


MERGE = MergeBranch(
    command_id=CommandId("m"), commit="c" * 40, target_commit="a" * 40, beside={"api": "d" * 40}
)


@pytest.mark.parametrize(
    ("beside", "refusal"),
    [({}, "api"), ({"api": "d" * 40, "lib": "e" * 40}, "api"), ({"api": "main"}, "whole ids")],
)
def test_a_merge_says_what_was_shown_of_each_repository(beside, refusal):
    state = opened(is_planned=False)
    with pytest.raises(InvalidError, match=refusal):
        rules.decide(state, MERGE.model_copy(update={"beside": beside}), NOW)

    after = rules.fold(state, rules.decide(state, MERGE, NOW).events)
    assert after.landing.beside == {"api": "d" * 40}


def test_a_merge_into_one_repository_names_no_other():
    state = opened(is_planned=False)
    alone = state.opened.model_copy(update={"beside": (), "name": ""})
    with pytest.raises(InvalidError, match="beside"):
        rules.decide(state.model_copy(update={"opened": alone}), MERGE, NOW)


def test_a_repository_that_began_on_no_branch_has_none_to_merge_into():
    state = opened(is_planned=False)
    detached = state.opened.model_copy(
        update={"beside": (API.model_copy(update={"head_branch": None}),)}
    )
    with pytest.raises(WrongStateError, match="api began on no branch"):
        rules.decide(state.model_copy(update={"opened": detached}), MERGE, NOW)


def test_what_was_shown_is_part_of_what_is_confirmed():
    other = MERGE.model_copy(update={"beside": {"api": "e" * 40}})
    assert other.content != MERGE.content
    assert MERGE.model_copy(update={"beside": {}}).content == f'["{"c" * 40}", "{"a" * 40}"]'


def pushed_with(*beside: PushedBeside) -> ThreadState:
    """Return a thread whose branch was pushed with those, as a person asked for with a pull request."""
    state = opened(is_planned=False)
    asked = rules.decide(state, Publish(command_id=CommandId("p")), NOW)
    state = rules.fold(state, asked.events)
    place = {"remote": "origin", "address": "https://github.com/ann/web", "branch": "treadle/x"}
    own = PushedBranch(
        **place, commit="c" * 40, project=project_of(place["address"]), beside=beside
    )
    ended = rules.decide(state, EndPush(number=state.publication.number, pushed=own), NOW)
    return rules.fold(state, ended.events)


def test_people_open_the_pull_requests_of_several():
    address = "https://github.com/ann/api"
    beside = PushedBeside(
        name="api",
        remote="origin",
        address=address,
        branch="treadle/x",
        commit="d" * 40,
        project=project_of(address),
    )

    publication = pushed_with(beside).publication

    assert publication.stage is PublishStage.PUBLISHED
    assert "api https://github.com/ann/api/compare/main...treadle" in publication.failure
    assert "https://github.com/ann/web/compare/" in publication.compare_url
    assert publication.pushed is not None
    assert publication.pushed.beside == (beside,)


def test_a_branch_with_changes_in_one_repository_has_a_pull_request():
    assert pushed_with().publication.stage is PublishStage.OPENING


def test_a_task_changes_the_repositories_that_it_names_or_all():
    lib = API.model_copy(update={"name": "lib"})

    named = changed_by([API, lib], ("lib",))
    assert [one.is_read for one in named] == [True, False]
    assert [one.is_read for one in changed_by([API, lib], ())] == [False, False]
    assert "to read" in describe_beside(named).splitlines()[0]
    assert "to read" not in describe_beside(named).splitlines()[1]


def test_a_plan_that_names_a_repository_that_is_not_there_is_refused():
    task = {"id": "a", "title": "A", "verification": [], "repositories": ["lib"]}
    raw = {"goal": "g", "tasks": [task]}
    template = PlanTemplate(name="x")

    with pytest.raises(InvalidPlanError, match="repository 'lib'; beside this one there are: api"):
        read_plan(raw, template, rules=PlanRules(beside=("api",)))
    read = read_plan(raw, template, rules=PlanRules(beside=("lib",)))
    assert read.plan.tasks[0].repositories == ("lib",)


def test_planners_of_a_thread_may_name_what_it_has_beside():
    assert plan_rules(opened(is_planned=True)).beside == ("api",)
