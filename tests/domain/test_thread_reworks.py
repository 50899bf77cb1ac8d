"""A rework in a thread: a plan of its own, verified and gated as the template says, and told once."""

from typing import Any

from domain.conversations.stats import TaskStats
from domain.core.approvals import Decider
from domain.core.four_eyes import FourEyes
from domain.core.ids import WORK, CommandId
from domain.core.wire import Wire
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequest
from domain.plans.templates.template import GitConventions, PlanTemplate
from domain.publications.reworks import REWORK_TURNS
from domain.tasks.agent_commands import ProposePlan
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Cancel, Publish, Retry
from domain.threads import patches, rules
from domain.threads.commands import EndTask
from domain.threads.planning.commands import RequestPlan
from domain.threads.publishing.effects import (
    AskRework,
    EndPullRequest,
    EndPush,
    EndReworkTelling,
    EndWatchStart,
    StartWatch,
    TellRework,
)
from domain.threads.publishing.publication import PushedBranch
from domain.threads.publishing.watching import reworks_of
from domain.threads.working.commands import HandOver
from domain.verification.steps import StepType, VerificationStep
from tests.domain.running_plan import RunningPlan, task

PROJECT = ForgeProject(host="git.example.org", owner="o", name="r")
STEP = VerificationStep(type=StepType.COMMAND, command="make")
ASK = AskRework(
    pull_request=7,
    number=1,
    item_id="comment-1",
    subject="Rework pull request #7: comment",
    text="Untrusted text: rename it",
    by="the policy",
    is_by_policy=True,
    by_policy=1,
)


def template(**more: Any) -> PlanTemplate:
    return PlanTemplate.model_validate({"name": "team", "verification": {"steps": (STEP,)}, **more})


def push(plan: RunningPlan, commit: str) -> None:
    """Have the branch pushed, and its pull request found."""
    number = plan.state.publication.number
    pushed = PushedBranch(
        remote="origin", address="a", branch="treadle/x", commit=commit, project=PROJECT
    )
    plan.send(EndPush(number=number, pushed=pushed))
    plan.send(EndPullRequest(number=number, pull_request=PullRequest(number=7, url="u")))


def published(**more: Any) -> RunningPlan:
    """Return a thread whose plan is done and whose pull request is watched."""
    opening = GitConventions(open_pr=True, pr_target="main")
    chosen = template(**{"git": opening, **more})
    plan = RunningPlan(task("a"), template=chosen, patches=patches.ALL)
    plan.complete("a")
    if not plan.state.git.open_pr:
        plan.send(Publish(by="ada"))
    push(plan, "a" * 40)
    plan.send(EndWatchStart(number=7, commit="a" * 40))
    assert plan.state.publication.watched == 7
    return plan


def effects(plan: RunningPlan, kind: type) -> list[Any]:
    return [effect for effect in rules.effects(plan.state) if isinstance(effect, kind)]


def work(plan: RunningPlan) -> None:
    """Have the session lent to the work of the rework, and that verified and merged."""
    session = plan.state.working.session_id
    assert session is not None
    plan.send(HandOver(session_id=session))
    plan.complete(WORK)


def take(plan: RunningPlan, *commands: Wire) -> None:
    for command in commands:
        plan.send(command)


def test_a_rework_is_one_plan_with_the_steps_of_the_template():
    plan = published()
    take(plan, ASK, ASK)  # its watch asks again until it knows that the thread has it

    assert plan.kinds().count("rework_requested") == 1
    assert plan.kinds().count("plan_started") == 2
    entry = plan.state.tasks[WORK].task
    assert "rename it" in entry.description
    assert [step.command for step in entry.verification] == ["make"]
    (outcome,) = [o for o in plan.state.outcomes.values() if o.by.startswith("the policy")]
    assert outcome.decider is Decider.POLICY


def test_it_is_pushed_and_its_watch_is_told_of_it_with_the_commit():
    plan = published()
    take(plan, ASK)
    work(plan)

    (told,) = effects(plan, TellRework)
    assert (told.number, told.is_done, told.is_published) == (1, True, True)
    take(plan, EndReworkTelling(pull_request=7, number=1))
    assert effects(plan, TellRework) == []
    assert plan.kinds().count("publish_requested") == 2
    push(plan, "d" * 40)
    (watch,) = effects(plan, StartWatch)
    assert (watch.commit, watch.rework) == ("d" * 40, 1)
    take(plan, EndWatchStart(number=7, commit="d" * 40, rework=1))
    assert effects(plan, StartWatch) == []


def test_a_person_publishes_where_the_template_does_not():
    plan = published(git=GitConventions(pr_target="main"))
    take(plan, ASK)
    work(plan)
    (told,) = effects(plan, TellRework)
    assert (told.is_done, told.is_published) == (True, False)
    assert plan.kinds().count("publish_requested") == 1


def test_a_rework_that_changed_nothing_says_so_without_a_push():
    plan = published(git=GitConventions(pr_target="main"))
    push_as = "d" * 40  # what the work of these tests is merged as
    plan.send(Publish(by="ada"))
    push(plan, push_as)
    plan.send(EndWatchStart(number=7, commit=push_as))
    take(plan, ASK)
    work(plan)
    (told,) = effects(plan, TellRework)
    assert (told.is_done, told.reason) == (False, "it changed nothing")


def test_a_rework_waits_for_the_plan_that_runs():
    plan = published()
    asked = plan.send(RequestPlan(command_id=CommandId("again"), agent="fake"))
    planner = asked.data["session_id"]
    plan.send(ProposePlan(session_id=planner, plan={"summary": "more", "tasks": [task("b")]}))
    take(plan, ASK)
    plan.decide(next(reversed(plan.state.requests)))
    assert plan.state.publication.rework.plan == 0
    plan.complete("b")
    push(plan, "b" * 40)
    assert plan.state.publication.rework.plan == 3


def test_a_cancelled_rework_is_told_as_failed():
    plan = published()
    take(plan, ASK, Cancel(by="ada"))
    (told,) = effects(plan, TellRework)
    assert (told.is_done, "cancelled" in told.reason) == (False, True)


def end_at(plan: RunningPlan, usd: float, end: TaskEnd = TaskEnd.ACCEPTED) -> None:
    """Have the run of the work end, having cost so much."""
    session = plan.state.working.session_id
    plan.send(HandOver(session_id=session))
    run = plan.state.tasks[WORK].run
    stats = TaskStats(costs={"USD": usd, "EUR": 99.0})
    plan.send(EndTask(task_id=WORK, run=run, end=end, commit="c" * 40, stats=stats))
    plan.settle(WORK)


def test_what_all_reworks_have_cost_is_told_with_each():
    plan = published()
    take(plan, ASK)
    end_at(plan, 1.25, TaskEnd.FAILED)
    plan.send(Retry(task_id=WORK, by="ada"))
    end_at(plan, 0.5)
    (told,) = effects(plan, TellRework)
    assert (told.is_done, told.usd) == (True, 1.75)
    take(plan, EndReworkTelling(pull_request=7, number=1))
    push(plan, "d" * 40)
    take(plan, EndWatchStart(number=7, commit="d" * 40, rework=1))

    take(plan, ASK.model_copy(update={"number": 2, "item_id": "comment-2"}))
    end_at(plan, 2.0)
    (told,) = effects(plan, TellRework)
    assert told.usd == reworks_of(7, plan.state).usd == 3.75


def test_what_is_not_of_a_rework_costs_none():
    plan = published()
    take(plan, ASK)
    end_at(plan, 1.0)
    push(plan, "d" * 40)
    asked = plan.send(RequestPlan(command_id=CommandId("again"), agent="fake"))
    planner = asked.data["session_id"]
    plan.send(ProposePlan(session_id=planner, plan={"summary": "more", "tasks": [task("b")]}))
    plan.decide(next(reversed(plan.state.requests)))
    run = plan.state.tasks["b"].run
    stats = TaskStats(costs={"USD": 7.0})
    plan.send(EndTask(task_id="b", run=run, end=TaskEnd.ACCEPTED, commit="c" * 40, stats=stats))
    assert reworks_of(7, plan.state).usd == 1.0


def test_a_rework_that_is_cancelled_at_work_tells_what_it_has_cost():
    plan = published()
    take(plan, ASK)
    session = plan.state.working.session_id
    plan.send(HandOver(session_id=session))
    plan.send(Cancel(by="ada"))
    assert effects(plan, TellRework) == []
    run = plan.state.tasks[WORK].run
    stats = TaskStats(costs={"USD": 3.0})
    plan.send(EndTask(task_id=WORK, run=run, end=TaskEnd.CANCELLED, stats=stats))
    plan.settle(WORK)
    (told,) = effects(plan, TellRework)
    assert (told.is_done, told.usd) == (False, 3.0)


def test_turns_are_bounded_where_nobody_asked_for_the_rework():
    by_policy, by_ada = published(), published()
    take(by_policy, ASK)
    take(by_ada, ASK.model_copy(update={"by": "ada", "is_by_policy": False}))
    assert by_policy.state.tasks[WORK].task.max_turns == REWORK_TURNS
    assert by_ada.state.tasks[WORK].task.max_turns is None


def test_where_another_person_must_approve_plans_one_is_asked():
    plan = published()
    opened = plan.state.opened
    assert opened is not None
    strict = opened.model_copy(update={"four_eyes": FourEyes(plan_by_another=True)})
    plan.state = plan.state.model_copy(update={"opened": strict})
    take(plan, ASK)
    assert plan.kinds().count("plan_started") == 1
    assert [request.subject for request in plan.state.requests.values()] == ["plan"]


def test_a_watch_that_begins_anew_knows_how_many_there_were():
    plan = published()
    take(plan, ASK)
    found = reworks_of(7, plan.state)
    assert (found.number, found.by_policy, found.items) == (1, 1, ("comment-1",))
    assert reworks_of(8, plan.state).number == 0
