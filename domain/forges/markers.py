"""Marks in what we write on a forge, so that nothing is written twice."""

import hashlib
import re

_MARK = re.compile(r"<!-- treadle:([0-9a-f]{32}) -->")


def marked(text: str, key: str) -> str:
    """Return text with the mark of a key at its end, which no page shows."""
    return f"{text.rstrip()}\n\n{mark_of(key)}"


def mark_of(key: str) -> str:
    """Return the mark of a key: its digest, so that nobody learns an id by it."""
    digest = hashlib.sha256(key.encode()).hexdigest()[:32]
    return f"<!-- treadle:{digest} -->"


def bears(text: str, key: str) -> bool:
    """Tell whether text bears the mark of a key; whose text it is must be asked besides."""
    return mark_of(key) in text


def without_marks(text: str) -> str:
    """Return text without any mark of ours."""
    return _MARK.sub("", text)
