"""A thread that publishes each of its tasks: which it is, what is refused, and where it stands."""

from typing import Any

from domain.core.ids import TaskId
from domain.core.workspaces import MergeResult
from domain.forges.policy import PublishAs
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequest
from domain.forges.stacks import StepKind
from domain.plans.templates.template import GitConventions, PlanTemplate
from domain.tasks.running_commands import Publish
from domain.threads import patches, rules
from domain.threads.commands import SettleTask
from domain.threads.publishing.effects import NotePullRequest, OpenPullRequest, PushBranch
from domain.threads.publishing.publication import (
    FinishedPullRequest,
    PublishStage,
    PushedBranch,
)
from domain.threads.publishing.stack_effects import EndLayer, EndStackPlan, MoveLayer, PlanStack
from domain.threads.publishing.stacking import offered
from domain.threads.publishing.watching import policy_of
from tests.domain.running_plan import RunningPlan, task
from tests.domain.test_beside import API

PROJECT = ForgeProject(host="git.example.org", owner="o", name="r")
HEAD = "e" * 40


def done(*names: str, publish: PublishAs = PublishAs.TASKS) -> RunningPlan:
    """Return a thread whose tasks are merged."""
    git = GitConventions.model_validate({"pr_target": "main", "publish": publish})
    chosen = PlanTemplate(name="team", git=git)
    plan = RunningPlan(*map(task, names), template=chosen, patches=patches.ALL)
    for name in names:
        plan.end(name)
        merge = MergeResult(commit=name * 40)
        plan.send(SettleTask(task_id=TaskId(name), run=1, merge=merge))
    return plan


def effects(plan: RunningPlan, kind: type) -> list[Any]:
    return [effect for effect in rules.effects(plan.state) if isinstance(effect, kind)]


def found(plan: RunningPlan, **more: Any) -> None:
    """Have the tasks found in the branch, as often as that is asked."""
    (effect,) = effects(plan, PlanStack)
    pushed = PushedBranch(
        remote="origin", address="a", branch="treadle/x", commit=HEAD, project=PROJECT
    )
    plan.send(
        EndStackPlan(
            **{"number": effect.number, "pushed": pushed, "tasks": tuple(effect.tasks), **more}
        )
    )


def settle(plan: RunningPlan) -> list[str]:
    """Carry out every step; returns which there were."""
    steps: list[str] = []
    while moves := effects(plan, MoveLayer):
        (move,) = moves
        step, stack = move.step, plan.state.publication.stack
        steps.append(f"{step.kind} {step.task_id}")
        layer = next(each for each in stack if each.task_id == step.task_id)
        number = layer.number or 10 + sum(bool(each.number) for each in stack)
        gave = {
            StepKind.REPLAY: {"commit": f"{step.commit}+", "begins_at": step.onto_commit or "b"},
            StepKind.PUBLISH: {"pull_request": number, "url": f"u/{number}", "told": move.told},
            StepKind.NOTE: {"news": layer.news},
            StepKind.REMOVE: {},
        }[step.kind]
        plan.send(EndLayer(step=step, **gave))
    return steps


def published(*names: str) -> RunningPlan:
    plan = done(*names)
    plan.send(Publish(by="ada"))
    found(plan)
    settle(plan)
    return plan


def test_each_task_is_one_pull_request_and_the_lowest_is_the_threads():
    plan = published("a", "b", "c")
    publication = plan.state.publication

    assert [layer.task_id for layer in publication.stack] == ["a", "b", "c"]
    assert publication.stage is PublishStage.PUBLISHED
    assert publication.stack[-1].commit == HEAD
    assert publication.pull_request is not None
    assert (publication.pull_request.number, publication.watched) == (10, 10)
    assert policy_of(plan.state).stack_base == "main"
    assert not effects(plan, PushBranch)
    assert not effects(plan, OpenPullRequest)


def test_one_task_or_a_thread_that_is_one_pull_request_is_no_stack():
    plan = done("a")
    plan.send(Publish(by="ada"))
    assert effects(plan, PushBranch)

    plan = done("a", "b")
    plan.send(Publish(by="ada", publish_as=PublishAs.THREAD))
    assert effects(plan, PushBranch)

    plan = done("a", "b", publish=PublishAs.THREAD)
    plan.send(Publish(by="ada", publish_as=PublishAs.TASKS))
    assert effects(plan, PlanStack)


def test_who_publishes_may_choose_only_while_both_ways_are_possible():
    assert offered(done("a", "b").state) is PublishAs.TASKS
    assert offered(done("a", "b", publish=PublishAs.THREAD).state) is PublishAs.THREAD
    assert offered(done("a").state) is None
    assert offered(published("a", "b").state) is None

    state = done("a", "b").state
    opened = state.opened
    assert opened is not None
    beside = opened.model_copy(update={"beside": (API,)})
    assert offered(state.model_copy(update={"opened": beside})) is None

    open_one = PullRequest(number=7, url="u")
    for over, choice in ((None, None), (FinishedPullRequest(number=7), PublishAs.TASKS)):
        known = state.publication.model_copy(update={"pull_request": open_one, "finished": over})
        assert offered(state.model_copy(update={"publication": known})) is choice


def test_what_was_rebased_below_its_tasks_is_refused():
    plan = done("a", "b")
    plan.send(Publish(by="ada"))
    found(plan, tasks=("a",), missing=("b",))

    assert plan.state.publication.stage is PublishStage.FAILED
    assert "b cannot be found" in plan.state.publication.failure
    assert not effects(plan, MoveLayer)


def test_what_is_above_follows_and_all_has_ended_with_the_last():
    plan = published("a", "b")
    ended = {"is_merged": True, "merge_commit": "m", "head_commit": "h"}

    plan.send(NotePullRequest(number=10, **ended))
    plan.send(NotePullRequest(number=10, **ended))
    assert settle(plan) == ["replay b", "publish b", "note b"]
    assert plan.state.publication.finished is None
    assert plan.state.publication.watched == 11
    assert plan.kinds().count("pull_request_finished") == 1

    plan.send(NotePullRequest(number=11, **ended))
    finished = plan.state.publication.finished
    assert finished is not None
    assert (finished.number, finished.is_merged) == (11, True)


def test_what_cannot_be_replayed_waits_for_a_person_and_is_tried_again():
    plan = published("a", "b", "c")
    plan.send(NotePullRequest(number=10, is_merged=True))
    (move,) = effects(plan, MoveLayer)
    plan.send(EndLayer(step=move.step, failure="conflicts in app.py"))

    assert settle(plan) == ["note b"]
    assert plan.state.publication.stack[1].trouble == "conflicts in app.py"
    assert plan.state.publication.stage is PublishStage.PUBLISHED

    plan.send(Publish(by="ada"))
    found(plan)
    assert settle(plan)[:4] == ["replay b", "publish b", "replay c", "publish c"]
    assert not any(layer.trouble for layer in plan.state.publication.stack)


def test_one_that_was_closed_keeps_the_others_and_ends_unmerged():
    plan = published("a", "b")

    plan.send(NotePullRequest(number=11, is_merged=False))
    assert settle(plan) == []
    plan.send(NotePullRequest(number=10, is_merged=True))
    settle(plan)

    finished = plan.state.publication.finished
    assert finished is not None
    assert not finished.is_merged
