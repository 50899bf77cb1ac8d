"""A plan overrides the git conventions of its template: shown at its approval, and only its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from domain.core.approval_commands import Approve
from domain.core.errors import InvalidPlanError, WarningsNotAcknowledgedError
from domain.core.ids import TaskId
from domain.core.workspaces import MergeResult
from domain.forges.policy import AutoMerge, PullRequestPolicy
from domain.forges.pull_requests import MergeMethod
from domain.plans.plan import Plan
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import BranchStrategy, GitConventions, PlanTemplate
from domain.plans.warnings import WarningKind
from domain.tasks.events import TaskEnd
from domain.threads import rules
from domain.threads.commands import EndTask, SettleTask
from domain.threads.effects import RunTask
from domain.threads.inputs import ThreadInput
from domain.threads.publishing.watching import policy_of
from tests.domain.planning_world import World
from tests.domain.running_plan import THREAD, RunningPlan, task
from workflows import children

PLAIN = PlanTemplate(name="plain")
OPENING = PlanTemplate(name="opening", git=GitConventions(open_pr=True, pr_target="main"))
SHARED = PlanTemplate(name="shared", git=GitConventions(branch_strategy=BranchStrategy.SHARED))
INPUT = ThreadInput(thread_id=THREAD, goal="goal", repository="/repo", agent="fake")
PREFIX = st.sampled_from([None, "treadle/", "feature/"])
GIT = st.fixed_dictionaries(
    {},
    optional={
        "branchStrategy": st.sampled_from(["per-task", "shared"]),
        "branchPrefix": PREFIX,
        "prTarget": st.sampled_from([None, "main", "release"]),
        "openPR": st.sampled_from([None, True, False]),
    },
)


def warnings(git: dict[str, object], template: PlanTemplate = PLAIN) -> dict[WarningKind, str]:
    raw = {"summary": "do it", "tasks": [task("a")], "git": git}
    return {warning.kind: warning.text for warning in read_plan(raw, template).warnings}


@given(git=GIT, template=st.sampled_from([PLAIN, OPENING, SHARED]))
def test_whatever_differs_is_told_and_what_acts_more_must_be_acknowledged(
    git: dict[str, object], template: PlanTemplate
):
    plan = read_plan({"summary": "x", "git": git}, template).plan
    found = warnings(git, template)
    wanted = plan.git.over(template.git) if plan.git else template.git
    assert (wanted == template.git) == (not found)
    acts = wanted.open_pr and (wanted.open_pr, wanted.pr_target) != (
        template.git.open_pr,
        template.git.pr_target,
    )
    assert (WarningKind.ACTS_MORE in found) == acts


@pytest.mark.parametrize(
    "git",
    [
        {"onFailedCheck": "rework"},
        {"onReviewComment": "rework"},
        {"authors": ["octocat"]},
        {"maxReworks": 9},
        {"autoMerge": "when_ready"},
        {"deleteBranch": True},
    ],
)
def test_what_a_plan_lets_happen_to_its_pull_request_is_acknowledged(git: dict[str, object]):
    assert WarningKind.ACTS_MORE in warnings(git)
    (name,) = git
    same = GitConventions.model_validate(git)
    assert not warnings(git, PlanTemplate(name="same", git=same)), name
    assert set(warnings({name: _USUAL[name]}, PlanTemplate(name="more", git=same))) == {
        WarningKind.GIT
    }


_USUAL: dict[str, object] = {
    "onFailedCheck": "card",
    "onReviewComment": "card",
    "authors": [],
    "maxReworks": 3,
    "autoMerge": "off",
    "deleteBranch": False,
}


def test_a_plan_lets_reworks_cost_less_and_more_only_when_that_is_acknowledged():
    bounded = PlanTemplate(name="bounded", git=GitConventions.model_validate({"maxReworkUsd": 5}))
    assert set(warnings({"maxReworkUsd": 9}, bounded)) == {WarningKind.ACTS_MORE}
    assert set(warnings({"maxReworkUsd": 2.5}, bounded)) == {WarningKind.GIT}
    assert set(warnings({"maxReworkUsd": 2.5})) == {WarningKind.GIT}
    assert not warnings({"maxReworkUsd": 5}, bounded)
    for bad in (0, -1, float("inf"), float("nan"), 1e9):
        with pytest.raises(ValidationError):
            GitConventions.model_validate({"maxReworkUsd": bad})


def test_the_policy_of_a_pull_request_is_what_template_and_approved_plan_say():
    template = PlanTemplate(
        name="some", git=GitConventions(auto_merge=AutoMerge.WHEN_READY, authors=("octocat",))
    )
    plan = RunningPlan(
        task("a"), template=template, git={"autoMerge": "off", "mergeMethod": "squash"}
    )
    policy = policy_of(plan.state)
    assert policy == PullRequestPolicy(authors=("octocat",), merge_method=MergeMethod.SQUASH)


def test_conventions_that_say_nothing_of_the_pull_request_have_the_hash_that_they_had():
    assert set(GitConventions().model_dump()) == {
        "branch_strategy",
        "branch_prefix",
        "pr_target",
        "open_pr",
    }


def test_a_pull_request_that_the_template_does_not_open_is_named():
    found = warnings({"openPR": True, "prTarget": "release"})
    assert "a pull request against release" in found[WarningKind.ACTS_MORE]
    assert WarningKind.GIT in warnings({"openPR": False}, OPENING)


@pytest.mark.parametrize(
    ("git", "words"),
    [
        ({"branchPrefix": "../x"}, "branchPrefix"),
        ({"prTarget": "a b"}, "prTarget"),
        ({"branchStrategy": "mixed"}, "branch"),
        ({"openPR": "perhaps"}, "open"),
        ({"openPRs": True}, "did you mean 'open_pr'"),
    ],
)
def test_what_git_cannot_do_is_told_to_the_planner(git: dict[str, object], words: str):
    with pytest.raises(InvalidPlanError, match=words):
        warnings(git)


def test_a_plan_without_overrides_has_the_hash_that_it_had():
    assert "git" not in Plan(goal="x").model_dump()
    assert Plan(goal="x").content_hash == Plan(goal="x", git=None).content_hash


def test_a_plan_that_opens_a_pull_request_starts_only_once_that_was_read():
    world = World()
    plan = {"summary": "x", "tasks": [task("a")], "git": {"openPR": True}}
    world.propose(plan=plan)
    with pytest.raises(WarningsNotAcknowledgedError, match="pull request"):
        world.decide(Approve, "plan-1")
    world.decide(Approve, "plan-1", is_acknowledged=True)
    run = {"task_id": "a", "run": 1}
    world.send(EndTask(**run, end=TaskEnd.ACCEPTED, commit="c" * 40))
    world.send(SettleTask(**run, merge=MergeResult(commit="d" * 40)))

    (published,) = [event for event in world.log if event.kind == "publish_requested"]
    assert published.model_dump()["by"] == "plan 1"


def test_a_plan_opens_none_where_its_template_would():
    plan = RunningPlan(task("a"), template=OPENING, git={"openPR": False})
    plan.complete("a")
    assert plan.state.plan_status == "completed"
    assert "publish_requested" not in plan.kinds()


def test_tasks_share_the_branch_one_at_a_time_where_the_plan_says_so():
    plan = RunningPlan(task("a"), task("b"), git={"branchStrategy": "shared"})
    assert running(plan) == ["a"]
    assert branch(plan, "a") is None

    apart = RunningPlan(task("a"), task("b"), template=SHARED, git={"branchStrategy": "per-task"})
    assert running(apart) == ["a", "b"]
    assert branch(apart, "b") == "treadle/x--b"


def test_task_branches_have_the_prefix_of_their_plan_and_are_removed_with_the_thread():
    plan = RunningPlan(task("a"), git={"branchPrefix": "feature/"})
    assert branch(plan, "a") == "feature/x--a"
    assert plan.state.stems == ("feature/x",)


def running(plan: RunningPlan) -> list[str]:
    return [e.task_id for e in rules.effects(plan.state) if isinstance(e, RunTask)]


def branch(plan: RunningPlan, name: str) -> str | None:
    return children.task_input(INPUT, plan.state, TaskId(name), 1).branch
