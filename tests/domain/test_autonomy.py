"""How freely a plan runs: a person's word at its approval, before plan, settings and template."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.approval_commands import Approve
from domain.core.approvals import decision_code, is_code
from domain.core.autonomy import Autonomy
from domain.core.command import Verdict
from domain.core.errors import AlreadyDecidedError, InvalidError
from domain.core.ids import CommandId, RequestId, TaskId, ThreadId
from domain.plans.ancestry import ParentThread
from domain.plans.templates.template import GatePolicy, PlanApproval, PlanTemplate
from domain.tasks.agent_commands import ProposePlan
from domain.tasks.running_commands import Cancel, Retry
from domain.threads.autonomy import autonomy_options, gate_of
from domain.threads.children.rules import parent_of_child
from domain.threads.planning.commands import RequestPlan, SetAuto
from domain.threads.running.view import running_view
from tests.domain.running_plan import RunningPlan, task

autonomy_levels = st.sampled_from(Autonomy)
templates = st.builds(
    PlanTemplate,
    name=st.just("any"),
    gate=st.sampled_from(GatePolicy),
    plan_approval=st.none() | st.sampled_from(PlanApproval),
)
tasks = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "plan_approval": st.sampled_from(["user", "auto", "none"]),
            "gate": st.just("ask"),
        },
    ),
    min_size=1,
    max_size=4,
).map(lambda fields: [task(f"t{n}", **more) for n, more in enumerate(fields)])


class Approved(RunningPlan):
    """A plan that a person approved with a autonomy."""

    def __init__(
        self, *tasks: dict[str, Any], autonomy: Autonomy | None, template: PlanTemplate
    ) -> None:
        self.autonomy = autonomy
        super().__init__(*tasks, template=template)

    def verdict(self, request: str, kind: type[Verdict] = Approve, feedback: str = "") -> Verdict:
        said = super().verdict(request, kind, feedback)
        read = {"autonomy": self.autonomy, "is_acknowledged": True}
        of_plan = kind is Approve and request.startswith("plan-")
        return said.model_copy(update=read) if of_plan else said

    def gate(self, name: str) -> GatePolicy:
        assert self.state.opened is not None
        entry = self.state.tasks[TaskId(name)].task
        return gate_of(entry, self.state.opened, self.state.autonomy)

    def approval(self, name: str) -> PlanApproval | None:
        return self.state.plan_approval_of(TaskId(name))


def again(plan: RunningPlan, *proposed: dict[str, Any]) -> str:
    """Cancel the plan, and have another proposed; returns its request, empty where it runs by itself."""
    plan.send(Cancel(by="ada"))
    for name in [n for n, status in plan.statuses.items() if status in {"running", "planning"}]:
        plan.fail(name)
    plan.send(RequestPlan(goal="again", command_id=CommandId("again")))
    plan.send(
        ProposePlan(session_id=plan.state.planner, plan={"summary": "x", "tasks": list(proposed)})
    )
    return next(reversed(plan.state.requests), "")


@given(tasks, templates)
def test_each_plan_stops_at_every_tasks_plan_and_gate(
    planned: list[dict[str, Any]], template: PlanTemplate
) -> None:
    plan = Approved(*planned, autonomy=Autonomy.EACH_PLAN, template=template)
    for name in plan.statuses:
        assert plan.approval(name) is PlanApproval.USER
        assert plan.gate(name) is GatePolicy.ASK
    assert "running" not in plan.statuses.values()


@given(tasks, templates)
def test_gates_stops_at_every_gate_and_at_no_tasks_plan(
    planned: list[dict[str, Any]], template: PlanTemplate
) -> None:
    plan = Approved(*planned, autonomy=Autonomy.GATES, template=template)
    asked = Approved(*planned, autonomy=None, template=template)
    for name in plan.statuses:
        assert plan.gate(name) is GatePolicy.ASK
        assert plan.approval(name) is (PlanApproval.AUTO if asked.approval(name) else None)


@given(tasks, templates)
def test_auto_stops_only_at_gates_that_the_plan_itself_wants(
    planned: list[dict[str, Any]], template: PlanTemplate
) -> None:
    plan = Approved(*planned, autonomy=Autonomy.AUTO, template=template)
    for named in planned:
        assert plan.gate(named["id"]) is GatePolicy(named.get("gate", "auto"))
        assert plan.approval(named["id"]) is not PlanApproval.USER


@given(tasks, templates)
def test_without_a_choice_plan_and_template_say_where_it_stops(
    planned: list[dict[str, Any]], template: PlanTemplate
) -> None:
    plan = Approved(*planned, autonomy=None, template=template)
    for named in planned:
        assert plan.gate(named["id"]) is GatePolicy(named.get("gate", template.gate))
        wanted = named.get("plan_approval", template.plan_approval)
        assert plan.approval(named["id"]) == (None if wanted == "none" else wanted)


@given(tasks, templates, autonomy_levels)
def test_what_is_told_before_the_approval_is_where_it_stops_after(
    planned: list[dict[str, Any]], template: PlanTemplate, autonomy: Autonomy
) -> None:
    plan = Approved(*planned, autonomy=autonomy, template=template)
    assert plan.state.opened is not None
    told = autonomy_options((entry.task for entry in plan.state.tasks.values()), plan.state.opened)
    (own,) = (option for option in told if option.autonomy is autonomy)
    names = list(plan.state.tasks)
    assert own.plans == tuple(n for n in names if plan.approval(n) is PlanApproval.USER)
    assert own.gates == tuple(n for n in names if plan.gate(n) is GatePolicy.ASK)
    assert [option.autonomy for option in told] == [None, *Autonomy]


@given(templates, autonomy_levels)
def test_what_an_amendment_adds_runs_as_freely(template: PlanTemplate, autonomy: Autonomy) -> None:
    plan = Approved(task("a", gate="ask"), autonomy=autonomy, template=template)
    plan.change({"change": "add", "task": task("b")})
    other = Approved(task("b"), autonomy=autonomy, template=template)
    assert (plan.approval("b"), plan.gate("b")) == (other.approval("b"), other.gate("b"))


@given(tasks, templates)
def test_what_is_usual_is_the_templates_word_whatever_is_planned(
    planned: list[dict[str, Any]], template: PlanTemplate
) -> None:
    plan = Approved(*planned, autonomy=None, template=template)
    assert plan.state.opened is not None
    told = autonomy_options((entry.task for entry in plan.state.tasks.values()), plan.state.opened)
    usual = [option.autonomy for option in told if option.is_usual]
    if template.gate is GatePolicy.ASK:
        is_planned = template.plan_approval is PlanApproval.USER
        assert usual == [Autonomy.EACH_PLAN if is_planned else Autonomy.GATES]
    else:
        assert usual == ([] if template.plan_approval is PlanApproval.USER else [Autonomy.AUTO])


def test_a_choice_counts_for_its_plan_alone() -> None:
    plain = PlanTemplate(name="plain")
    plan = Approved(task("a"), autonomy=Autonomy.AUTO, template=plain)
    plan.autonomy = None
    plan.decide(again(plan, task("b")))
    assert (plan.state.autonomy, plan.gate("b")) == (None, GatePolicy.ASK)


def test_a_retry_runs_as_freely_and_no_freer() -> None:
    plan = Approved(task("a"), autonomy=Autonomy.EACH_PLAN, template=PlanTemplate(name="plain"))
    plan.fail("a")
    plan.send(Retry(command_id=CommandId("retry"), task_id=TaskId("a"), by="ada"))
    assert plan.statuses == {"a": "planning"}
    assert plan.state.autonomy is Autonomy.EACH_PLAN


def test_an_automatic_approval_chooses_nothing() -> None:
    plan = RunningPlan(task("a"))
    plan.send(SetAuto(command_id=CommandId("auto"), is_on=True, by="ada"))
    again(plan, task("b"))
    assert plan.statuses == {"b": "running"}
    assert plan.state.autonomy is None


def test_a_childs_plan_runs_as_freely_as_its_parents() -> None:
    parent = Approved(task("a"), autonomy=Autonomy.AUTO, template=PlanTemplate(name="plain"))
    told = parent_of_child(parent.state, TaskId("a"), 1)
    assert told.autonomy is Autonomy.AUTO
    child = RunningPlan(task("b"))
    assert child.state.opened is not None
    above = ParentThread(thread_id=ThreadId("above"), task_id=TaskId("a"), autonomy=Autonomy.AUTO)
    opened = child.state.opened.model_copy(update={"parent": above})
    child.state = child.state.model_copy(update={"opened": opened})
    request = again(child, task("c"))
    assert running_view(child.state).autonomy_options[request][0].gates == ()
    child.decide(request)
    assert child.state.autonomy is Autonomy.AUTO


def test_the_same_approval_is_harmless_and_a_freer_one_is_refused() -> None:
    plan = Approved(task("a"), autonomy=Autonomy.GATES, template=PlanTemplate(name="plain"))
    outcome = plan.state.outcomes["plan-1"]
    sent = Approve(
        request_id=RequestId("plan-1"),
        content_hash=outcome.content_hash,
        autonomy=Autonomy.GATES,
        by="ada",
    )
    before = plan.state
    assert "asks at gates" in plan.send(sent).message
    for autonomy in (Autonomy.AUTO, None):
        refused = plan.refuses(sent.model_copy(update={"autonomy": autonomy}))
        assert isinstance(refused, AlreadyDecidedError)
    assert plan.state == before


def test_only_the_plan_of_a_thread_is_approved_with_a_autonomy() -> None:
    plan = RunningPlan(task("a"))
    amendment = plan.amend({"change": "add", "task": task("b")})
    verdict = plan.verdict(amendment).model_copy(update={"autonomy": Autonomy.AUTO})
    assert isinstance(plan.refuses(verdict), InvalidError)


@pytest.mark.parametrize("autonomy", Autonomy)
def test_the_code_of_one_approval_gets_no_freer_run(autonomy: Autonomy) -> None:
    plain = Approve(request_id=RequestId("plan-1"), content_hash="h")
    others = [plain.model_copy(update={"autonomy": other}) for other in (None, *Autonomy)]
    code = decision_code(b"key", "w", "plan-1", f"approve/{autonomy}", "h")
    taken = [o.autonomy for o in others if is_code(b"key", code, ("w", o.request, o.choice, "h"))]
    assert taken == [autonomy]
    assert plain.choice == "approve"


def test_the_view_tells_what_was_chosen_and_what_can_be() -> None:
    plan = Approved(task("a"), autonomy=Autonomy.AUTO, template=PlanTemplate(name="plain"))
    assert running_view(plan.state).autonomy is Autonomy.AUTO
    request = again(plan, task("b"))
    shown = running_view(plan.state)
    assert shown.autonomy is None
    assert [(c.autonomy, len(c.plans), len(c.gates)) for c in shown.autonomy_options[request]] == [
        (None, 0, 1),
        (Autonomy.EACH_PLAN, 1, 1),
        (Autonomy.GATES, 0, 1),
        (Autonomy.AUTO, 0, 0),
    ]
