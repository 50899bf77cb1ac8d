"""Numbers as people read them."""


def counted(number: int, thing: str) -> str:
    """Return a number with its noun: `1 turn`, `1,200 turns`; the plural of the noun ends in s."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
