"""Numbers of a report as people read them, on a terminal and on a page."""

from collections.abc import Mapping

from domain.core.money import USD, Money, spent_words

_SIGNS = {"EUR": "€", "GBP": "£"}
_CENT = 0.01
NONE = "–"


def amount(number: int) -> str:
    """Return a large number in short: `950`, `12.3 k`, `4.5 M`."""
    for unit, name in ((1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")):
        # 999,999 is 1.0 M and not 1000.0 k
        if number >= unit * 0.99995:
            return f"{number / unit:.1f} {name}"
    return str(number)


def money(spent: Money, costs: Mapping[str, float]) -> str:
    """Return what turns cost: `$1.20`, `≥ $1.20 (1 turn unknown) + 12.00 CHF`; less than a cent is said to be that.

    `costs` are what agents told, of which only other currencies are not in the sum.
    """
    others = [_money(name, cost) for name, cost in costs.items() if name != USD]
    return " + ".join(filter(None, (spent_words(spent), *others))) or NONE


def _money(currency: str, cost: float) -> str:
    sign = _SIGNS.get(currency)
    less = "<" if 0 < cost < _CENT else ""
    number = f"{max(cost, _CENT) if cost else 0:,.2f}"
    return f"{less}{sign}{number}" if sign else f"{less}{number} {currency}".rstrip()


def share(part: int, whole: int) -> str:
    """Return a part of a whole in percent; what is neither nothing nor all never looks like it."""
    if not whole:
        return NONE
    percent = round(100 * part / whole)
    return f"{min(max(percent, 1), 99) if 0 < part < whole else percent} %"
