"""A rework in a thread: a plan of its own, verified and gated as the template says, and told once."""

from typing import Any

from domain.core.approvals import Decider
from domain.core.four_eyes import FourEyes
from domain.core.ids import WORK, CommandId
from domain.core.wire import Wire
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequest
from domain.plans.templates.template import GitConventions, PlanTemplate
from domain.tasks.agent_commands import ProposePlan
from domain.tasks.running_commands import Cancel, Publish
from domain.threads import patches, rules
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
