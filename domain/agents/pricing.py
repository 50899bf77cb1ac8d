"""What a turn cost: what its agent told goes first, then its tokens by a list of prices, else nobody knows."""

from domain.agents.agents import Usage, UsageSource
from domain.agents.profiles import Billing
from domain.core.money import MAX_USD, USD, Money, millionths
from domain.core.wire import Wire

PARTIAL = frozenset({UsageSource.LAST_CALL})
"""Where tokens were told of a part of a turn only."""


class ListPrice(Wire):
    """What tokens cost by a list of prices: in millionths of a US dollar, by which version of which list."""

    millionths: int
    prices: str


def turn_money(usage: Usage | None, price: ListPrice | None, billing: Billing) -> Money:
    """Return what a turn cost that its agent was asked for.

    Tokens of a part of the turn give a lower bound, and so does a sum in another currency: of such a turn it is
    not known what it cost.
    """
    if usage is not None and usage.cost is not None and is_usual(usage.cost, usage.currency):
        money = Money(told=millionths(usage.cost))
    elif usage is not None and usage.cost is None and price is not None:
        is_part = usage.source in PARTIAL
        money = Money(priced=price.millionths, prices=price.prices, unknown=int(is_part))
    else:
        money = Money(unknown=1)
    if billing is Billing.SUBSCRIPTION:
        return Money(included=money.spent, included_turns=1, prices=money.prices)
    return money


def is_usual(cost: float, currency: str) -> bool:
    """Tell whether what an agent told is dollars, and no more than any turn costs: else it is not believed."""
    return currency == USD and 0 <= cost <= MAX_USD


def recorded_money(usage: Usage | None, tool_calls: int) -> Money:
    """Return what is known of a turn that was recorded before there were prices."""
    if usage is None and not tool_calls:
        return Money()
    return turn_money(usage, None, Billing.USAGE)
