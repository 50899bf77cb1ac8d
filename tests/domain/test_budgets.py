"""Budgets of turns, tokens and context, and the plans of tasks as they are read."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import ContextFill, Usage
from domain.agents.limits.budgets import (
    Budget,
    BudgetUse,
    context_warning,
    exhausted,
    must_compact,
    warnings,
)
from domain.core.errors import InvalidPlanError
from domain.tasks.plans import Review, read_review, read_task_plan

TOKENS = st.integers(0, 1_000)


@given(st.integers(1, 500), st.lists(TOKENS, max_size=20))
def test_a_limit_is_warned_of_once_and_before_or_as_it_ends(limit, turns):
    budget, spent, warned = Budget(tokens=limit), BudgetUse(), 0
    for tokens in turns:
        after = spent.after(Usage(input_tokens=tokens))
        warned += len(warnings(budget, spent, after))
        spent = after
        assert not exhausted(budget, spent) or warned == 1
    assert warned == (1 if spent.tokens >= 0.8 * limit else 0)
    assert bool(exhausted(budget, spent)) == (spent.tokens >= limit)


@given(st.lists(TOKENS, max_size=20))
def test_without_limits_nothing_ends(turns):
    spent = BudgetUse()
    for tokens in turns:
        spent = spent.after(Usage(output_tokens=tokens))
        assert not exhausted(Budget(), spent)
    assert spent == BudgetUse(turns=len(turns), tokens=sum(turns))


def test_turns_are_counted_where_an_agent_tells_no_tokens():
    spent = BudgetUse().after(None).after(None)
    assert "limit of turns is used up (2 of 2)" in exhausted(Budget(turns=2, tokens=1), spent)


@pytest.mark.parametrize(
    ("used", "size", "allowed", "is_warned", "is_full"),
    [
        (79_000, 100_000, None, False, False),
        (80_000, 100_000, None, True, False),
        (95_000, 100_000, None, True, True),
        (95_000, 1_000_000, 100_000, True, True),
        (95_000, 1_000_000, None, False, False),
        (31_000, 32_000, 100_000, True, True),
    ],
)
def test_a_context_is_as_full_as_the_smaller_of_both_limits(
    used, size, allowed, is_warned, is_full
):
    budget, fill = Budget(context_tokens=allowed), ContextFill(used=used, size=size)
    assert bool(context_warning(budget, None, fill)) is is_warned
    assert context_warning(budget, fill, fill) == ()
    assert must_compact(budget, fill) is is_full


def reply(**verdict):
    return f"Words.\n\n```json\n{json.dumps(verdict)}\n```\n\nMore words."


def test_a_verdict_is_read_from_the_one_block_of_a_reply():
    assert read_review(reply(verdict="approve")) == Review(verdict="approve")
    assert read_review(reply(verdict="revise", feedback="no")) == Review(
        verdict="revise", feedback="no"
    )


@pytest.mark.parametrize(
    "said",
    [
        "",
        "I approve.",
        '{"verdict": "approve"}',
        reply(verdict="yes"),
        reply(verdict="revise"),
        reply(verdict="approve") + reply(verdict="revise", feedback="x"),
        "```json\n{broken\n```",
        "```json\n[1]\n```",
        '```\n{"verdict": "approve"}\n```',
    ],
)
def test_anything_else_is_no_verdict(said):
    assert isinstance(read_review(said), str)


@given(st.text(max_size=200))
def test_no_text_breaks_the_reading_of_a_reply(said):
    assert isinstance(read_review(said), str | Review)


def test_every_problem_of_a_tasks_plan_is_reported():
    with pytest.raises(InvalidPlanError) as caught:
        read_task_plan({"steps": ["", "x"], "summary": 3})
    assert "steps.0" in caught.value.message
    assert "summary" in caught.value.message
    for wrong in ({}, {"steps": []}, "no json", [1], None):
        with pytest.raises(InvalidPlanError):
            read_task_plan(wrong)
