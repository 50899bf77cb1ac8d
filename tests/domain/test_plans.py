"""What a planner proposes is read as it stands, repaired with a warning, or refused with reasons."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import InvalidPlanError
from domain.core.graphs import cycles
from domain.plans.plan import Plan
from domain.plans.proposals.problems import MAX_WORDS
from domain.plans.proposals.proposal import read_plan
from domain.plans.proposals.repair import MAX_REMOVED
from domain.plans.templates.template import PlanTemplate, Port, Resources, VerificationDefaults
from domain.verification.steps import StepType, VerificationStep
from tests.domain.strategies import plans

PLAIN = PlanTemplate(name="plain")
NAMES = ["t-1", "t-2", "t-3", "t-4"]
tangles = st.dictionaries(
    st.sampled_from(NAMES), st.lists(st.sampled_from([*NAMES, "ghost"])), min_size=1
)


def tangled(graph: dict[str, list[str]]) -> dict[str, Any]:
    return {"tasks": [{"id": n, "title": n, "dependsOn": needs} for n, needs in graph.items()]}


@given(tangles)
def test_a_repaired_plan_is_acyclic_and_every_lost_edge_has_a_warning(
    graph: dict[str, list[str]],
) -> None:
    plan, warnings = read_plan(tangled(graph), PLAIN)

    assert list(cycles(plan.graph)) == []
    assert all(need in graph for needs in plan.graph.values() for need in needs)
    before = {(name, need) for name, needs in graph.items() for need in needs}
    after = {(name, need) for name, needs in plan.graph.items() for need in needs}
    assert after <= before
    assert len(warnings) == len(before - after)
    for name, need in before - after:
        assert any(
            repr(name) in w.text and (repr(need) in w.text or name == need) for w in warnings
        )


@given(plans())
def test_a_valid_plan_stays_as_it_is(raw: dict[str, Any]) -> None:
    plan, warnings = read_plan(raw, PLAIN)

    without_gate = [task["id"] for task in raw["tasks"] if task.get("gate") == "auto"]
    assert len(warnings) == len(without_gate)
    for name, warning in zip(without_gate, warnings, strict=True):
        assert repr(name) in warning.text
        assert "without asking you" in warning.text
    assert [task.id for task in plan.tasks] == [task["id"] for task in raw["tasks"]]
    for task, given_task in zip(plan.tasks, raw["tasks"], strict=True):
        assert list(task.depends_on) == given_task["depends_on"]
        assert task.decision_id == given_task["decision_id"]
        assert [s.id for s in task.verification] == [
            f"step-{n}" for n in range(1, len(given_task["verification"]) + 1)
        ]
    assert read_plan(plan.model_dump(mode="json"), PLAIN) == (plan, warnings)
    assert Plan.model_validate_json(plan.model_dump_json()) == plan


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "id": ({"id": "Bad Id", "title": "x"}, "bad_id"),
    "title": ({"id": "a", "title": "  "}, "title is empty"),
    "decision": ({"id": "b", "title": "x", "decision_id": "d-9"}, "unknown_decision"),
    "port": ({"id": "c", "title": "x", "ports": [{"id": "web"}, {"id": "web"}]}, "duplicate_port"),
    "port name": ({"id": "d", "title": "x", "ports": [{"id": "W"}]}, "bad_port_id"),
    "field": ({"id": "e", "title": "x", "verification": [{"type": "command"}]}, "needs 'command'"),
    "type": (
        {"id": "f", "title": "x", "verification": [{"type": "port_requested"}]},
        "unknown_step_type",
    ),
    "reference": (
        {
            "id": "g",
            "title": "x",
            "verification": [{"type": "http_health", "url": "http://localhost:${ports.no}"}],
        },
        "unknown_port",
    ),
}


@given(st.sets(st.sampled_from(sorted(BAD)), min_size=1))
def test_every_problem_is_reported_at_once(chosen: set[str]) -> None:
    with pytest.raises(InvalidPlanError) as caught:
        read_plan({"tasks": [BAD[name][0] for name in chosen]}, PLAIN)

    for name, (_, word) in BAD.items():
        assert (word in caught.value.message) == (name in chosen)
    assert caught.value.message.count("\n- ") == len(chosen)


@given(st.recursive(st.none() | st.booleans() | st.text(max_size=9), st.lists, max_leaves=5))
def test_anything_else_is_refused_as_a_plan(raw: Any) -> None:
    with pytest.raises(InvalidPlanError):
        read_plan(raw, PLAIN)


@pytest.mark.parametrize(
    "raw",
    [
        {"considerations": [1] * 250_000},
        {"tasks": [{"id": "a", "title": "b", "ports": [1] * 1000}] * 200},
        {"tasks": [{"id": "A" * 100_000, "title": ""}]},
        {"tasks": [{"id": "a", "title": "b", "depends_on": ["x" * 100_000]}] * 2},
        {"summary": "x", "decisions": [{"id": "y" * 9000, "question": "?", "options": []}]},
        {"tasks": [{"id": "a", "title": "b", "verification": [{"type": "command"}] * 9000}]},
        {"summary": "\ud800"},
    ],
)
def test_a_flood_of_problems_is_reported_in_few_words(raw: Any) -> None:
    with pytest.raises(InvalidPlanError) as caught:
        read_plan(raw, PLAIN)
    assert len(caught.value.message) < 60 * MAX_WORDS


def test_two_tasks_or_decisions_of_one_id_are_refused() -> None:
    decision = {"id": "d", "question": "?", "options": [{"label": "a"}, {"label": "b"}]}
    raw = {"tasks": [{"id": "a", "title": "x"}] * 2, "decisions": [decision] * 2}
    with pytest.raises(InvalidPlanError) as caught:
        read_plan(raw, PLAIN)
    assert caught.value.message.count("duplicate_id") == 2


def test_a_choice_can_be_made_whatever_spaces_the_planner_put_around_it() -> None:
    decision = {"id": "d", "question": "?", "options": [{"label": " SQLite "}, {"label": "none"}]}
    plan, _ = read_plan({"summary": "x", "decisions": [decision]}, PLAIN)
    assert plan.decisions[0].options[0].label == "SQLite"


def test_a_knot_too_large_to_show_is_refused() -> None:
    names = [f"t-{n}" for n in range(160)]
    with pytest.raises(InvalidPlanError) as caught:
        read_plan(tangled(dict.fromkeys(names, names)), PLAIN)
    assert caught.value.message.count("\n- ") == MAX_REMOVED


def test_template_steps_and_ports_come_first_and_only_once() -> None:
    template = PlanTemplate(
        name="strict",
        verification=VerificationDefaults(
            steps=(
                VerificationStep(type=StepType.HTTP_HEALTH, url="http://localhost:${ports.web}"),
            )
        ),
        resources=Resources(default_ports=(Port(id="web"),)),
    )
    own = {"type": "command", "command": "true"}
    task = {"id": "a", "title": "x", "verification": [own]}

    plan, _ = read_plan(
        {"tasks": [task, {**task, "id": "b", "skips_template_steps": True}]}, template
    )
    assert [s.type for s in plan.task("a").verification] == ["http_health", "command"]
    assert [s.type for s in plan.task("b").verification] == ["command"]
    assert [port.id for port in plan.task("a").ports] == ["web"]

    single, _ = read_plan({"summary": "all at once", "verification": [own]}, template)
    assert [s.type for s in single.verification] == ["http_health", "command"]
