"""What a template may say of clean checkouts, and what of them makes an automatic gate wait."""

import pytest

from domain.plans.templates.rules import faults
from domain.plans.templates.template import PlanTemplate
from domain.verification.checkouts import DEPENDENCIES, Recipe, carried_words, has_unchosen
from domain.verification.steps import StepResult, StepType, VerificationStep, is_last_of


def template(**verification) -> PlanTemplate:
    return PlanTemplate.model_validate({"name": "x", "verification": verification})


def test_a_template_that_says_nothing_carries_the_usual_folders():
    assert template().verification.recipe.carried == DEPENDENCIES
    assert template(carry=[]).verification.recipe.carried == ()


def test_what_is_prepared_is_told_before_it_is_trusted():
    assert "runs before the steps: npm ci" in template(prepare=["npm ci"]).acts


@pytest.mark.parametrize(
    "said", [{"carry": ["../x"]}, {"carry": ["/etc"]}, {"prepare": [" "]}, {"carry": ["a"] * 21}]
)
def test_a_recipe_that_leads_out_or_says_nothing_is_refused(said):
    assert list(faults(template(**said)))


def test_only_what_nobody_chose_makes_a_gate_wait():
    result = StepResult(step_id="s", passed=True, carried=("node_modules",))
    assert has_unchosen([result])
    assert not has_unchosen([result.model_copy(update={"is_carry_chosen": True})])
    assert not has_unchosen([StepResult(step_id="s", passed=True)])
    assert carried_words([result, result]) == "verified with the task's node_modules"


def test_a_checkout_is_of_no_use_after_the_last_step_that_is_no_review():
    steps = [
        VerificationStep(id="a", type=StepType.COMMAND, command="true"),
        VerificationStep(id="b", type=StepType.COMMAND, command="true"),
        VerificationStep(id="c", type=StepType.REVIEW_AGENT, prompt="look"),
    ]
    assert [is_last_of(steps, step) for step in steps] == [False, True, False]


def test_a_recipe_of_an_older_history_is_the_default_one():
    assert Recipe.model_validate({}) == Recipe()
