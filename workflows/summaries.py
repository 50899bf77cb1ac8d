"""Texts that Temporal shows in clear."""

from domain.core.seals import Public
from domain.core.summaries import bounded


def shown(text: str) -> Public:
    """Return a summary as Temporal takes it: on one line, bounded, and left in clear."""
    return Public(bounded(text))
