"""Amounts of money in words, of whole millionths of a US dollar; for what must begin quickly, too."""

from domain.core.text import counted

MILLIONTHS = 1_000_000

_CENT = MILLIONTHS // 100


def dollars(amount: int) -> str:
    """Return an amount as people read it: `$1.20`; less than a cent is said to be that."""
    if 0 < amount < _CENT:
        return "<$0.01"
    cents = (amount + _CENT // 2) // _CENT
    return f"${cents // 100:,}.{cents % 100:02}"


def cost_words(spent: int, unknown: int = 0, included: int = 0, included_turns: int = 0) -> str:
    """Return what turns cost, with what is not known of it; empty where there was nothing to pay for.

    `$1.20`, `≥ $1.20 (2 turns unknown)`, `unknown (2 turns)`, `included ($0.40 at list price)`.
    """
    if unknown and not spent:
        known = f"unknown ({counted(unknown, 'turn')})"
    elif unknown:
        known = f"≥ {dollars(spent)} ({counted(unknown, 'turn')} unknown)"
    else:
        known = dollars(spent) if spent else ""
    listed = f" ({dollars(included)} at list price)" if included else ""
    free = f"included{listed}" if included_turns else ""
    return ", ".join(filter(None, (known, free)))
