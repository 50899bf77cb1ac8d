"""Ids that look like secrets: none is made of a goal, and no plan of a thread that began with the rule has one."""

from typing import Any

import pytest

from domain.core.errors import InvalidAmendmentError, InvalidPlanError
from domain.core.ids import slug, task_workflow_id, thread_id
from domain.core.secret_forms import without_secrets
from domain.plans.ancestry import child_id
from domain.plans.proposals.limits import PlanRules
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate
from domain.threads.patches import ALL, IDS_ARE_NO_SECRETS
from tests.domain.running_plan import RunningPlan, add, task

PLAIN = PlanTemplate(name="plain")
NOW = PlanRules(checks_secret_names=True)
BEFORE = tuple(patch for patch in ALL if patch != IDS_ARE_NO_SECRETS)
KEY = "sk-" + "ant-api03-a1b2c3d4e5f6g7h8i9j0"
SLACK = "xox" + "b-1234567890-abcdefghij"
FAMILY = task("sk-learn", runs_as="thread")


@pytest.mark.parametrize(
    "goal",
    [
        "SK learn pipeline training with 3 models",
        "SK learn",
        "use sk learn",
        "sk ant colony",
        "glpat tokens leak into the debug logs",
        "xoxb tokens must be rotated daily",
        "xoxb 12",
    ],
)
def test_no_id_of_a_thread_becomes_a_secret_with_what_is_put_behind_it(goal: str):
    thread = thread_id(goal, "405c49")
    child = child_id(thread, task("add-one-more-model-2")["id"], 1, 0)
    for name in (
        *(thread, child, f"treadle/{thread}--train-all-of-the-models-again-2"),
        *(task_workflow_id(thread, "a-1"), f"{child}--train-all-of-the-models-again-2"),
    ):  # fmt: skip
        assert without_secrets(name) == name


def test_an_id_without_its_words_keeps_what_makes_it_unique():
    assert thread_id("SK learn pipeline", "405c49") == "thread-work-405c49"
    words = "glpat tokens leak into the debug logs"
    assert thread_id(words, "405c49") == f"thread-{slug(words)}-405c49"


def test_no_words_of_a_divided_secret_are_in_an_id():
    goal = "use " + "ghp_" + "a1b2c3d4e5f6a7b8c9d0" + "\n" + "e1f2a3b4c5d6e7f8"
    assert thread_id(goal, "1") == "thread-use-redacted-github-token-1"


@pytest.mark.parametrize("bad", [task(KEY), task(SLACK), FAMILY])
def test_a_plan_with_one_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidPlanError, match="bad_id: it looks like a secret") as refused:
        RunningPlan(bad, patches=ALL)
    assert KEY not in refused.value.message


def test_an_amendment_with_one_is_refused() -> None:
    plan = RunningPlan(task("a"), patches=ALL)
    with pytest.raises(InvalidAmendmentError, match="bad_id: it looks like a secret"):
        plan.amend(add(KEY))


def test_a_thread_that_began_before_keeps_what_it_took() -> None:
    plan = RunningPlan(task(KEY), patches=BEFORE)
    assert set(plan.statuses) == {KEY}


@pytest.mark.parametrize(
    ("plan", "problem"),
    [
        ({"tasks": [task("a", ports=[{"id": KEY}])]}, "port '[redacted:anthropic-key]': bad_port_id"),
        ({"tasks": [task("a")], "decisions": [{"id": KEY, "question": "Which?", "options": [
            {"label": "A"}, {"label": "B"}]}]}, "decision '[redacted:anthropic-key]': bad_id"),
    ],
)  # fmt: skip
def test_ports_and_decisions_have_none_either(plan: dict[str, Any], problem: str) -> None:
    with pytest.raises(InvalidPlanError) as refused:
        read_plan(plan, PLAIN, rules=NOW)
    assert problem in refused.value.message


@pytest.mark.parametrize(
    "name", ["sk-learn", "task-1", "rotate-xoxb-tokens-of-2026", "glpat-tokens-leak-into-logs"]
)
def test_words_are_no_secrets(name: str) -> None:
    assert [
        each.id for each in read_plan({"tasks": [task(name)]}, PLAIN, rules=NOW).plan.tasks
    ] == [name]
