"""Amounts of money: what turns cost, as far as that is known, in whole millionths of a US dollar."""

from decimal import ROUND_HALF_UP, Decimal

from domain.core.amounts import MILLIONTHS, cost_words
from domain.core.wire import Wire

USD = "USD"
MAX_USD = 1_000_000.0
"""The highest limit, and more than any turn costs: a higher one is a slip."""


class Money(Wire):
    """What turns cost.

    `told` is what agents reported themselves, `priced` what their tokens cost by the price list `prices`; of
    `unknown` turns neither is known in full, so the sum is a lower bound. Turns on a flat plan cost nothing more:
    they are `included_turns`, and `included` is what a price list, or the agent, would have taken for them.
    """

    told: int = 0
    priced: int = 0
    included: int = 0
    included_turns: int = 0
    unknown: int = 0
    prices: str = ""

    @property
    def spent(self) -> int:
        """What is known to be paid."""
        return self.told + self.priced

    @property
    def is_exact(self) -> bool:
        """Whether it is known of all turns."""
        return self.unknown == 0

    def plus(self, other: "Money") -> "Money":
        """Return the sum; of two price lists the later one is named."""
        return Money(
            told=self.told + other.told,
            priced=self.priced + other.priced,
            included=self.included + other.included,
            included_turns=self.included_turns + other.included_turns,
            unknown=self.unknown + other.unknown,
            prices=other.prices or self.prices,
        )


def millionths(amount: Decimal | float | str) -> int:
    """Return an amount in millionths, rounded half up; a float counts as it is written.

    Raises:
        ValueError: It is no finite number, or more than there is money.
    """
    try:
        exact = amount if isinstance(amount, Decimal) else Decimal(str(amount))
        return int((exact * MILLIONTHS).quantize(Decimal(1), rounding=ROUND_HALF_UP))
    except (ArithmeticError, ValueError) as error:
        raise ValueError(f"{amount} is no amount") from error


def spent_words(money: Money) -> str:
    """Return what turns cost, with what is not known of it; empty where there was nothing to pay for."""
    return cost_words(money.spent, money.unknown, money.included, money.included_turns)
