"""What a plan may say of reviews: the template's stay, a plan's own are looked at like all steps."""

from typing import Any

import pytest

from domain.core.errors import InvalidPlanError
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate, VerificationDefaults
from domain.verification.steps import StepType, VerificationStep


def task(**fields: Any) -> dict[str, Any]:
    return {"tasks": [{"id": "a", "title": "A", **fields}]}


SECURITY = VerificationStep(
    type=StepType.REVIEW_AGENT, label="Security", prompt="Look.", agent="claude", model="large"
)
REVIEWED = PlanTemplate(name="x", verification=VerificationDefaults(steps=(SECURITY,)))


def test_a_template_has_the_work_of_each_task_reviewed() -> None:
    plan, warnings = read_plan(task(), REVIEWED)
    (step,) = plan.tasks[0].verification
    assert (step.prompt, step.agent, step.model) == ("Look.", "claude", "large")
    assert warnings == ()


def test_a_review_that_a_plan_repeats_keeps_its_reviewer_and_another_one_is_reported() -> None:
    same = {"type": "review_agent", "prompt": "Look."}
    plan, warnings = read_plan(task(verification=[same]), REVIEWED)
    assert [s.agent for s in plan.tasks[0].verification] == ["claude"]
    assert warnings == ()
    _, (warning,) = read_plan(task(verification=[{**same, "agent": "weak"}]), REVIEWED)
    assert "'Security' by: Look. (weak)" in warning.text
    kept = REVIEWED.verification.model_copy(update={"kept": ("Security",)})
    strict = REVIEWED.model_copy(update={"verification": kept})
    with pytest.raises(InvalidPlanError, match="required_step_removed"):
        read_plan(task(verification=[{**same, "agent": "weak"}]), strict)


def test_what_runs_as_a_thread_is_reviewed_task_by_task() -> None:
    plan, warnings = read_plan(task(runs_as="thread"), REVIEWED)
    assert plan.tasks[0].verification == ()
    assert warnings == ()
    review = {"type": "review_agent", "prompt": "Look."}
    with pytest.raises(InvalidPlanError, match="reviewed task by task"):
        read_plan(task(runs_as="thread", verification=[review]), PlanTemplate(name="x"))


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ([{"type": "review_agent"}], "missing_field: a review_agent step needs 'prompt'"),
        ([{"type": "review_agent", "prompt": "x", "agent": " "}], "agent: give its name"),
        ([{"type": "review_agent", "prompt": "x", "command": "ls"}], "takes 'prompt' alone"),
        ([{"type": "command", "command": "ls", "agent": "a"}], "only review_agent has one"),
        ([{"type": "review_agent", "prompt": f"{n}"} for n in range(5)], "5 review_agent steps"),
    ],
)
def test_a_review_that_nobody_can_make_is_a_problem(steps: list[object], words: str) -> None:
    with pytest.raises(InvalidPlanError, match=words):
        read_plan(task(verification=steps), PlanTemplate(name="x"))
