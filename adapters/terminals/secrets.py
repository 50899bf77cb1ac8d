"""Secrets in a terminal's output, also where colours or moves of the cursor stand in the midst of them.

A reader sees such a secret whole: `rg sk-` on a terminal colours its first letters.
"""

from adapters.redaction import Redactor
from domain.terminals import UNFINISHED, UNSEEN

_LONGEST_REST = 32 << 10


def redacted(redactor: Redactor, text: str) -> str:
    """Return output without its secrets; it loses its colours where only that takes a secret out."""
    clean = redactor.text(text)
    seen = UNSEEN.sub("", clean)
    without = redactor.text(seen)
    return clean if without == seen else without


def settled(redactor: Redactor, text: str) -> tuple[str, str]:
    """Split output that will go on: what is over, redacted, and the rest, as it is.

    As `Redactor.settled`, whose rest it may lengthen by what a reader would see as part of a secret.
    """
    if UNSEEN.search(text) is None:
        return redactor.settled(text)
    _, rest = redactor.settled(text)
    over = text[: len(text) - len(rest)]
    whole = UNFINISHED.sub("", over)
    _, seen_rest = redactor.settled(UNSEEN.sub("", whole))
    cut = _before_last(whole, len(seen_rest))
    if len(text) - cut > _LONGEST_REST:
        cut = len(over)
    return redacted(redactor, text[:cut]), text[cut:]


def _before_last(text: str, count: int) -> int:
    """Return where the last so many characters begin of those that a reader sees."""
    if not count:
        return len(text)
    end, left = len(text), count
    for hidden in reversed(list(UNSEEN.finditer(text))):
        if end - hidden.end() >= left:
            break
        left -= end - hidden.end()
        end = hidden.start()
    return end - left
