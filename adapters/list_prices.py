"""List prices of models, from the data that genai-prices brings along; nothing is fetched."""

import asyncio
import re
from collections.abc import Callable, Collection, Mapping
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import version
from typing import Any

from domain.agents.agents import Usage
from domain.agents.ports import AgentProfiles, Rate
from domain.agents.pricing import ListPrice, turn_money
from domain.agents.profiles import AgentProfile, Billing, family_of
from domain.core.errors import InvalidError
from domain.core.money import MAX_USD, Money, millionths

_ELSEWHERE = re.compile(r"(?!OLLAMA_)\w+_(BASE_URL|HOST)")
"""Variables by which an agent's models are served by somebody else, whose prices nobody knows."""

_VARIANT = re.compile(r"\[[^\]]*\]$")
"""What agents put behind a model's name to say how it works, as in `opus[1m]`."""


class ListPrices:
    """The port `Costs`: what agents told, else the list; turns of some agents are included in a flat plan."""

    def __init__(
        self,
        profiles: AgentProfiles,
        environment: Callable[[tuple[str, ...]], Mapping[str, str]],
        subscriptions: Collection[str] = (),
    ) -> None:
        self._profiles = profiles
        self._environment = environment
        self._subscriptions = frozenset(subscriptions)

    async def rate_of(self, agent: str, repository: str | None) -> Rate:
        """Return what prices turns of an agent."""
        try:
            profile = self._profiles.profile(agent, repository)
        except InvalidError:
            return lambda usage, _: turn_money(usage, None, Billing.USAGE)
        await asyncio.to_thread(_price_list)  # it is large, and loaded once
        is_flat = {profile.name, agent} & self._subscriptions
        billing = Billing.SUBSCRIPTION if is_flat else profile.billing

        def rate(usage: Usage | None, model: str) -> Money:
            return turn_money(usage, self._price(profile, usage, model), billing)

        return rate

    def _price(self, profile: AgentProfile, usage: Usage | None, model: str) -> ListPrice | None:
        places = tuple(filter(_ELSEWHERE.fullmatch, profile.environment))
        if usage is None or not model or any(self._environment(places).values()):
            return None
        return list_price(usage, model, profile.provider, datetime.now(UTC))


def list_price(usage: Usage, model: str, provider: str, at: datetime) -> ListPrice | None:
    """Return what tokens cost; None where the list has no such model, or not of that provider.

    A model's name says whose it is, as `openai/gpt-5` or `anthropic:claude-opus-5`; else it is the `provider`'s.
    Where a long prompt costs more, the lower price is taken: how long each call's was is not known. Of what is taken
    for each call, one is counted.
    """
    family = family_of(model)
    name = _VARIANT.sub("", model.removeprefix(family).lstrip("/:") if family else model)
    found = _known_model(name, family or provider)
    if found is None or not (usage.input_tokens or usage.output_tokens or usage.cached_tokens):
        return None
    from genai_prices.types import ModelPrice, TieredPrices

    listed = found.get_prices(at).__dict__
    base = {k: v.base if isinstance(v, TieredPrices) else v for k, v in listed.items()}
    try:
        total = ModelPrice(**base).calc_price(_tokens(usage))["total_price"]
    except ValueError:  # it has a price only for what nobody told
        return None
    cost = millionths(total)
    is_free_or_mad = not any(base.values()) or cost > millionths(MAX_USD)
    return None if is_free_or_mad else ListPrice(millionths=cost, prices=_list_name())


def _tokens(usage: Usage) -> dict[str, int]:
    """Return the tokens as the list counts them: cached ones are a part of the input."""
    return {
        "input_tokens": usage.input_tokens + usage.cached_tokens,
        "cache_read_tokens": usage.cached_tokens,
        "cache_write_tokens": min(usage.cache_write_tokens, usage.input_tokens),
        "output_tokens": usage.output_tokens,
    }


def _known_model(name: str, provider: str) -> Any:
    from genai_prices.data_snapshot import find_provider_by_id

    snapshot = _price_list()
    known = find_provider_by_id(snapshot.providers, provider) if provider else None
    return known and known.find_model(name, all_providers=snapshot.providers)


@cache
def _price_list() -> Any:
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot()


@cache
def _list_name() -> str:
    return f"genai-prices {version('genai-prices')}"
