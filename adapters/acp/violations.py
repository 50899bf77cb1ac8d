"""Counts what an agent says that has no place in the protocol; a person is told once a turn."""

from collections import Counter
from enum import StrEnum

SAMPLE_LENGTH = 80


class Violation(StrEnum):
    """What was dropped, refused or left out, as a person reads it."""

    NO_MESSAGE = "lines that are no messages"
    TOO_LONG = "lines that are too long"
    FOREIGN = "messages for another session"
    NOT_ASKED = "answers to nothing that was asked"
    NOT_SERVED = "requests that Treadle does not serve"
    TOO_MANY = "requests beyond what may be open at once"
    UNKNOWN = "updates of an unknown kind"
    LEFT_OUT = "updates beyond what is kept of a turn"


class Violations:
    """Counts by kind, with a sample of the first of each."""

    def __init__(self) -> None:
        self._counts: Counter[Violation] = Counter()
        self._samples: dict[Violation, str] = {}

    def count(self, oddity: Violation, sample: str = "", times: int = 1) -> None:
        """Count what was met."""
        if times:
            self._counts[oddity] += times
            self._samples.setdefault(oddity, sample[:SAMPLE_LENGTH])

    def count_of(self, oddity: Violation) -> int:
        """Return how often one was met."""
        return self._counts[oddity]

    @property
    def total(self) -> int:
        """How often anything was met."""
        return self._counts.total()

    def summary(self) -> str:
        """Say what was met so far in one line, an empty one for nothing."""
        parts: list[str] = []
        for oddity, times in self._counts.items():
            sample = self._samples[oddity]
            parts.append(f"{oddity}: {times}" + (f" (the first: {sample!r})" if sample else ""))
        return "; ".join(parts)

    def clear(self) -> None:
        """Begin again."""
        self._counts.clear()
        self._samples.clear()
