"""A plan that wants no person at a gate says so, and is approved only by one who has read it."""

import pytest

from domain.core.errors import WarningsNotAcknowledgedError
from domain.plans.proposals.limits import PlanRules
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import GatePolicy, PlanApproval, PlanTemplate
from domain.plans.warnings import WarningKind
from domain.tasks.agent_commands import ProposePlan
from domain.tasks.running_commands import Cancel
from domain.threads.planning.commands import RequestPlan
from tests.domain.running_plan import RunningPlan, task


def test_a_planner_takes_no_gate_away_behind_a_persons_back() -> None:
    plan = RunningPlan(task("a"))
    plan.send(Cancel(by="ada"))
    plan.send(RequestPlan(goal="again", command_id="again"))
    proposal = {"summary": "x", "tasks": [task("b", gate="auto")]}
    planner = plan.state.planner
    plan.send(ProposePlan(session_id=planner, plan=proposal))
    (warning,) = plan.state.plans[-1].warnings
    assert (warning.kind, warning.needs_acknowledgement) == (WarningKind.NO_GATE, True)
    request = next(reversed(plan.state.requests))
    with pytest.raises(WarningsNotAcknowledgedError, match="merged without asking you"):
        plan.decide(request)


def test_a_template_without_gates_is_the_persons_own_word() -> None:
    plan = RunningPlan(
        task("a", gate="auto"), template=PlanTemplate(name="fast", gate=GatePolicy.AUTO)
    )
    assert plan.statuses == {"a": "running"}


def test_one_warning_names_all_tasks_without_a_gate() -> None:
    tasks = [task("a", gate="auto"), task("b"), task("c", gate="auto")]
    raw = {"summary": "x", "tasks": tasks}
    (warning,) = read_plan(
        raw, PlanTemplate(name="x"), rules=PlanRules(names_gates_once=True)
    ).warnings
    assert warning.kind is WarningKind.NO_GATE
    assert warning.text == "2 tasks will be merged without your approval: a, c"
    fast = PlanTemplate(name="x", gate=GatePolicy.AUTO)
    assert read_plan(raw, fast, rules=PlanRules(names_gates_once=True)).warnings == ()


def test_the_warning_of_many_tasks_without_a_gate_names_the_first() -> None:
    raw = {"summary": "x", "tasks": [task(f"task-{n}", gate="auto") for n in range(200)]}
    rules = PlanRules(names_gates_once=True, names_few=True)
    (warning,) = read_plan(raw, PlanTemplate(name="x"), rules=rules).warnings
    assert warning.text.startswith(
        "200 tasks will be merged without your approval: task-0, task-1,"
    )
    assert warning.text.endswith("task-11 and 188 more")


def test_a_person_is_warned_of_a_task_whose_plan_they_would_have_approved() -> None:
    template = PlanTemplate(name="x", plan_approval=PlanApproval.USER)
    plan = {"summary": "x", "tasks": [task("a", plan_approval="none")]}
    (warning,) = read_plan(plan, template).warnings
    assert "not asked for the plan of task 'a'" in warning.text
