"""List prices: which models are known, what is billed for cached tokens, and when nothing is claimed."""

from datetime import UTC, datetime

import pytest

from adapters.files.agent_profiles import AgentFiles
from adapters.list_prices import ListPrices, list_price
from domain.agents.agents import Usage
from domain.core.money import Money

AT = datetime(2026, 11, 1, tzinfo=UTC)
MILLION = Usage(input_tokens=1_000_000)


@pytest.fixture
def profiles(tmp_path):
    return AgentFiles(tmp_path)


def price(usage: Usage, model: str, provider: str = "") -> int | None:
    found = list_price(usage, model, provider, AT)
    return found and found.millionths


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("claude-sonnet-4-5", "anthropic"),
        ("anthropic/claude-sonnet-4-5", ""),
        ("anthropic:claude-sonnet-4-5", "openai"),
        ("claude-sonnet-4-5[1m]", "anthropic"),
    ],
)
def test_a_model_is_found_by_its_name_and_provider(model: str, provider: str) -> None:
    assert price(MILLION, model, provider) == 3_000_000


@pytest.mark.parametrize(
    ("model", "provider"),
    [
        ("claude-sonnet-4-5", ""),
        ("ollama/llama3", "openai"),
        ("qwen3:8b", "anthropic"),
        ("no-such-model", "anthropic"),
        ("default", "anthropic"),
        ("", "anthropic"),
    ],
)
def test_no_price_is_guessed(model: str, provider: str) -> None:
    assert price(MILLION, model, provider) is None


def test_cached_tokens_have_their_own_prices() -> None:
    model = "anthropic/claude-sonnet-4-5"
    assert price(Usage(cached_tokens=1_000_000), model) == 300_000
    written = Usage(input_tokens=1_000_000, cache_write_tokens=1_000_000)
    assert price(written, model) == 3_750_000


def test_long_turns_are_not_taken_for_long_prompts() -> None:
    once, hundred = (
        price(Usage(input_tokens=n), "anthropic/claude-sonnet-4-5") for n in (10**5, 10**7)
    )
    assert once is not None
    assert hundred == 100 * once


def test_without_tokens_there_is_no_price() -> None:
    assert price(Usage(), "anthropic/claude-sonnet-4-5") is None


async def test_models_of_another_server_have_no_price(profiles) -> None:
    elsewhere = ListPrices(profiles, lambda names: dict.fromkeys(names, "http://127.0.0.1:1"))
    here = ListPrices(profiles, lambda _: {})
    model = "anthropic:claude-sonnet-4-5"
    assert (await elsewhere.rate_of("treadle", None))(MILLION, model) == Money(unknown=1)
    money = (await here.rate_of("treadle", None))(MILLION, model)
    assert (money.priced, money.prices) == (3_000_000, "genai-prices 0.2.3")


async def test_agents_on_a_flat_plan_are_included(profiles) -> None:
    prices = ListPrices(profiles, lambda _: {}, ("claude",))
    money = (await prices.rate_of("claude", None))(MILLION, "claude-sonnet-4-5")
    assert (money.spent, money.included, money.included_turns) == (0, 3_000_000, 1)


async def test_an_agent_that_is_gone_has_unknown_costs(profiles) -> None:
    rate = await ListPrices(profiles, lambda _: {}).rate_of("gone", None)
    assert rate(MILLION, "claude-sonnet-4-5") == Money(unknown=1)
