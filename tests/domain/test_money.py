"""What turns cost: told, priced, included, unknown; and that sums are exact and honest."""

from functools import reduce
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import TurnResult, Usage, UsageSource
from domain.agents.pricing import ListPrice, turn_money
from domain.agents.profiles import Billing
from domain.agents.spending import Taken, taken_by
from domain.conversations.stats import TaskStats
from domain.core.amounts import dollars
from domain.core.ids import TurnId
from domain.core.money import Money, millionths, spent_words

LISTED = ListPrice(millionths=400_000, prices="list 1")
TOKENS = Usage(input_tokens=1_000, output_tokens=100)
AMOUNTS = st.integers(min_value=0, max_value=10**12)
MONEY = st.builds(Money, told=AMOUNTS, priced=AMOUNTS, included=AMOUNTS, unknown=st.integers(0, 50))


def test_what_the_agent_told_goes_before_its_tokens() -> None:
    told = TOKENS.model_copy(update={"cost": 0.1, "currency": "USD"})
    assert turn_money(told, LISTED, Billing.USAGE) == Money(told=100_000)


def test_a_told_cost_of_nothing_is_believed() -> None:
    told = TOKENS.model_copy(update={"cost": 0.0, "currency": "USD"})
    assert turn_money(told, LISTED, Billing.USAGE) == Money()


def test_tokens_alone_are_priced_and_the_list_is_named() -> None:
    money = turn_money(TOKENS, LISTED, Billing.USAGE)
    assert money == Money(priced=400_000, prices="list 1")


def test_tokens_of_the_last_call_give_a_lower_bound() -> None:
    part = TOKENS.model_copy(update={"source": UsageSource.LAST_CALL})
    assert spent_words(turn_money(part, LISTED, Billing.USAGE)) == "≥ $0.40 (1 turn unknown)"


@pytest.mark.parametrize("cost", [-0.5, 2e6, 1e9])
def test_a_told_cost_that_no_turn_has_is_not_believed(cost: float) -> None:
    told = TOKENS.model_copy(update={"cost": cost, "currency": "USD"})
    assert turn_money(told, LISTED, Billing.USAGE) == Money(unknown=1)


@pytest.mark.parametrize(
    "usage",
    [None, TOKENS, TOKENS.model_copy(update={"cost": 1.0, "currency": "EUR"})],
    ids=["tells nothing", "has no price", "another currency"],
)
def test_what_nobody_knows_is_unknown_and_not_nothing(usage: Usage | None) -> None:
    price = None if usage is None or usage.cost is None else LISTED
    money = turn_money(usage, price, Billing.USAGE)
    assert (money, spent_words(money)) == (Money(unknown=1), "unknown (1 turn)")


def test_a_turn_on_a_flat_plan_is_included_with_its_list_price() -> None:
    money = turn_money(TOKENS, LISTED, Billing.SUBSCRIPTION)
    assert (money.spent, spent_words(money)) == (0, "included ($0.40 at list price)")
    assert spent_words(turn_money(None, None, Billing.SUBSCRIPTION)) == "included"


@given(st.lists(MONEY, min_size=1, max_size=4))
def test_a_sum_does_not_depend_on_its_order(amounts: list[Money]) -> None:
    sums = {reduce(Money.plus, order, Money()) for order in map(tuple, permutations(amounts))}
    assert len(sums) == 1
    assert sums.pop().spent == sum(each.spent for each in amounts)


@given(MONEY)
def test_words_claim_an_exact_sum_only_where_nothing_is_unknown(money: Money) -> None:
    words = spent_words(money)
    assert ("unknown" in words) == bool(money.unknown)
    assert words.startswith("≥") == bool(money.unknown and money.spent)


@given(st.integers(min_value=0, max_value=10**13))
def test_an_amount_is_written_without_a_float(amount: int) -> None:
    text = dollars(amount)
    if amount == 0 or amount >= 10_000:
        whole, cents = text.removeprefix("$").replace(",", "").split(".")
        assert abs((int(whole) * 100 + int(cents)) * 10_000 - amount) <= 5_000
    else:
        assert text == "<$0.01"


@given(st.integers(min_value=0, max_value=10**12))
def test_an_amount_survives_its_text(amount: int) -> None:
    assert millionths(f"{amount // 10**6}.{amount % 10**6:06}") == amount


@pytest.mark.parametrize("text", ["nan", "inf", "-inf", "1e30", "1e300", "-1e30"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no amount"):
        millionths(float(text))


def test_a_turn_of_before_there_were_prices_counts_as_its_agent_told() -> None:
    told = Taken(usage=Usage(cost=0.25, currency="USD"))
    silent = Taken(usage=TOKENS)
    assert [told.cost, silent.cost, Taken().cost] == [
        Money(told=250_000),
        Money(unknown=1),
        Money(),
    ]


def test_stats_add_up_what_turns_cost() -> None:
    result = TurnResult(turn_id=TurnId("t"), money=Money(priced=5, prices="list 1"))
    stats = reduce(TaskStats.plus, [taken_by(result)] * 3, TaskStats())
    assert stats.money == Money(priced=15, prices="list 1")
