"""A plan that wants no person at a gate says so, and is approved only by one who has read it."""

import pytest

from domain.core.errors import WarningsNotAcknowledgedError
from domain.plans.templates.template import GatePolicy, PlanTemplate
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
