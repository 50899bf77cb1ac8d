"""What the turns of a thread cost, as a receipt says it."""

from typing import Any

from domain.agents.agents import TurnResult
from domain.agents.spending import taken_by
from domain.core.amounts import MILLIONTHS
from domain.core.money import Money


class Costs:
    """Adds up turns: by currency as agents told, else by list prices; those of flat plans apart."""

    def __init__(self) -> None:
        self._told: dict[str, int] = {}
        self._money = Money()

    def add(self, result: TurnResult) -> None:
        """Take the end of a turn."""
        money, usage = taken_by(result).cost, result.usage
        self._money = self._money.plus(money)
        if usage is not None and usage.cost is not None and not money.included_turns:
            told = self._told.get(usage.currency, 0) + round(usage.cost * MILLIONTHS)
            self._told[usage.currency] = told

    @property
    def fields(self) -> dict[str, Any]:
        """The fields of a receipt."""
        return {
            "costs_millionths": dict(self._told),
            "priced_millionths": self._money.priced,
            "prices": self._money.prices,
            "included_turns": self._money.included_turns,
            "unknown_cost_turns": self._money.unknown,
        }
