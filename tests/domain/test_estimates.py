"""What plans will likely cost: by tasks like theirs, in an honest range, or not at all."""

from hypothesis import given
from hypothesis import strategies as st

from domain.plans.estimates import Estimate, Expected, PastTask, estimate, expected_tasks, quantile
from domain.plans.plan import Plan

DOLLAR = 1_000_000
CODE = Expected(mode="code", agent="claude", model="m")


def past(*dollars: float, agent: str = "claude", mode: str = "code", model: str = "m"):
    return [
        PastTask(mode=mode, agent=agent, model=model, millionths=round(d * DOLLAR)) for d in dollars
    ]


def test_without_history_nothing_is_guessed():
    found = estimate([CODE], past(1, 2), past(1, 1))
    assert found == Estimate(tasks=1)
    assert found.words == "no estimate yet: too few tasks with a known cost"


def test_a_plan_costs_the_medians_of_its_tasks_with_their_range():
    found = estimate([CODE, CODE], past(1, 2, 3), [])
    assert (found.low, found.median, found.high) == (2 * DOLLAR, 4 * DOLLAR, 6 * DOLLAR)
    assert found.words == "$4.00 ($2.00 to $6.00), based on 3 tasks in this repository"


def test_tasks_of_the_same_model_and_mode_go_before_others():
    history = past(1, 1, 1) + past(9, 9, 9, 9, model="other") + past(5, 5, 5, mode="review")
    assert estimate([CODE], history, []).median == DOLLAR
    other = CODE.model_copy(update={"model": "third"})
    assert estimate([other], history, []).median == 9 * DOLLAR


def test_tasks_of_other_repositories_are_marked():
    found = estimate([CODE], past(1), past(4, 4, 4))
    assert (found.median, found.is_of_others) == (4 * DOLLAR, True)
    assert "across repositories" in found.words


def test_tasks_that_nothing_is_like_are_said_to_be_missing():
    found = estimate([CODE, Expected(mode="code", agent="codex")], past(1, 1, 1), [])
    assert found.words == (
        "$1.00 ($1.00 to $1.00), plus 1 task without history, based on 3 tasks in this repository"
    )


def test_a_task_has_the_agent_of_the_thread_unless_it_names_one():
    plan = Plan.model_validate(
        {"tasks": [{"id": "a", "title": "a"}, {"id": "b", "title": "b", "agent": "codex"}]}
    )
    tasks = expected_tasks(plan, "claude", "opus")
    assert [(t.agent, t.model) for t in tasks] == [("claude", "opus"), ("codex", "")]
    contest = {"id": "c", "title": "c", "best_of": {"agents": ["claude:opus", "codex"]}}
    several = expected_tasks(Plan.model_validate({"tasks": [contest]}), "claude", "opus")
    assert [(t.agent, t.model) for t in several] == [("claude", "opus"), ("codex", "")]
    assert expected_tasks(Plan(), "claude", None) == [Expected(mode="code", agent="claude")]


@given(st.lists(st.integers(0, 10**9), min_size=1))
def test_a_range_is_in_order_and_of_what_was_seen(costs):
    ordered = sorted(costs)
    low, high = quantile(ordered, 10), quantile(ordered, 90)
    assert {low, high} <= set(costs)
    assert low <= high
    assert sum(cost <= high for cost in costs) >= 0.9 * len(costs)
