"""Amounts in US dollars, as people type them."""

import typer

from domain.core.money import MAX_USD, millionths


def read_usd(text: str) -> float:
    """Read an amount in US dollars, as `20` or `12.50`."""
    try:
        usd = float(text.strip().removeprefix("$"))
        is_usable = 0 < millionths(usd) <= millionths(MAX_USD)
    except ValueError:
        is_usable, usd = False, 0.0
    if not is_usable:
        words = (
            f"{text!r} is not an amount: give US dollars, like 20 or 12.50, up to {MAX_USD:,.0f}"
        )
        raise typer.BadParameter(words)
    return usd
