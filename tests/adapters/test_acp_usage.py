"""Tokens and cost of turns, as different agents tell them."""

import pytest

from adapters.acp.tally import Tally
from adapters.acp.usage import Meter, usage_of
from domain.agents.agents import ContextFill, Usage, UsageSource
from domain.conversations.stats import TaskStats


@pytest.mark.parametrize(
    ("answer", "usage"),
    [
        (
            {"usage": {"inputTokens": 10, "outputTokens": 5, "thoughtTokens": 3}},
            Usage(input_tokens=10, output_tokens=5, thought_tokens=3),
        ),
        ({"usage": {"cachedReadTokens": 7, "outputTokens": None}}, Usage(cached_tokens=7)),
        (
            {"usage": {"inputTokens": 10, "cachedReadTokens": 7, "cachedWriteTokens": 90}},
            Usage(input_tokens=100, cached_tokens=7, cache_write_tokens=90),
        ),
        (
            {"_meta": {"quota": {"token_count": {"input_tokens": 4, "output_tokens": 2}}}},
            Usage(input_tokens=4, output_tokens=2, source=UsageSource.QUOTA),
        ),
        ({"usage": None, "_meta": None}, None),
        ({"usage": {"inputTokens": -1, "outputTokens": True}}, None),
        ({"usage": "many"}, None),
        ({"usage": {"inputTokens": 10**12, "outputTokens": 10**12}}, None),
    ],
)
def test_tokens_are_read_from_where_the_agent_tells_them(answer, usage):
    assert usage_of(answer) == usage


@pytest.mark.parametrize(
    ("counts", "not_cached"),
    [
        ({"inputTokens": 30, "totalTokens": 135}, 50),  # each apart
        ({"inputTokens": 30, "totalTokens": 138, "thoughtTokens": 3}, 50),
        ({"inputTokens": 130, "totalTokens": 135}, 50),  # all among the input
        ({"inputTokens": 130, "totalTokens": 138, "thoughtTokens": 3}, 50),
        ({"inputTokens": 30}, 50),
        ({"inputTokens": 30, "totalTokens": 77}, 50),  # a sum of something else
    ],
)
def test_cached_tokens_are_told_apart_however_the_agent_counts(counts, not_cached):
    cache = {"cachedReadTokens": 80, "cachedWriteTokens": 20, "outputTokens": 5}
    usage = usage_of({"usage": {**cache, **counts}})
    assert usage is not None
    assert (usage.input_tokens, usage.cached_tokens) == (not_cached, 80)


def test_tokens_of_calls_are_added_up_in_each_turn():
    tally = Tally()
    counts = {"inputTokens": 100, "outputTokens": 5, "totalTokens": 105, "cachedReadTokens": 80}
    for calls in (2, 1):
        tally.begin(is_fresh=False)
        for _ in range(calls):
            tally.count({"sessionUpdate": "agent_message_chunk", "_meta": {"usage": counts}})
            tally.count({"sessionUpdate": "agent_message_chunk", "_meta": {"usage": "many"}})
        assert tally.by_calls == Usage(
            input_tokens=20 * calls,
            output_tokens=5 * calls,
            cached_tokens=80 * calls,
            source=UsageSource.CALLS,
        )


def test_a_context_that_no_model_has_is_not_believed():
    tally = Tally()
    for used in (95_000, 10**12, None):
        tally.know({"sessionUpdate": "usage_update", "used": used, "size": 100_000})
    assert tally.context == ContextFill(used=95_000, size=100_000)


def told(amount, currency="USD"):
    return {"sessionUpdate": "usage_update", "cost": {"amount": amount, "currency": currency}}


def cost(meter, *amounts, is_fresh=False):
    meter.begin(is_fresh=is_fresh)
    for amount in amounts:
        meter.know(told(amount))
    usage = meter.metered(None)
    return usage and usage.cost


def test_a_turn_costs_what_its_session_costs_more_than_before():
    meter = Meter()
    assert cost(meter, 0.25, 0.5, is_fresh=True) == 0.5
    assert cost(meter, 0.75) == 0.25
    assert cost(meter, 0.75) == 0
    assert cost(meter) is None  # nobody told anything of that turn


def test_what_a_reopened_session_had_cost_before_is_not_the_turns():
    assert cost(Meter(), 10, 10.5) == 0.5


def test_an_agent_that_begins_to_count_anew_is_believed():
    meter = Meter()
    assert cost(meter, 3, is_fresh=True) == 3
    assert cost(meter, 0.5) == 0.5


@pytest.mark.parametrize("amount", [-1, "1", None, True, float("nan"), 1e300])
def test_an_odd_cost_is_none(amount):
    assert cost(Meter(), amount, is_fresh=True) is None


def test_costs_are_summed_by_currency_and_a_sum_of_last_calls_is_marked():
    stats = TaskStats()
    for usage in (
        Usage(input_tokens=1, cost=0.5, currency="USD"),
        Usage(input_tokens=2, cost=0.25, currency="USD"),
        Usage(cost=1, currency="EUR"),
        None,
    ):
        stats = stats.after(usage, 0, 0, 0)
    assert stats.costs == {"USD": 0.75, "EUR": 1}
    assert not stats.is_partial
    last = Usage(input_tokens=1, source=UsageSource.LAST_CALL)
    assert stats.after(last, 0, 0, 0).after(None, 0, 0, 0).is_partial
