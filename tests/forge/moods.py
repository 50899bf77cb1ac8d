"""Moods of a forge double: what networks and forges do to a request, at random by a seed."""

from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from threading import Lock


class Mood(StrEnum):
    """What becomes of one request."""

    FINE = "fine"
    SLOW = "slow"
    FAILS = "fails"
    """A 500, and nothing was carried out."""
    ANSWER_LOST = "answer_lost"
    """A 502, after it was carried out."""
    LIMITED = "limited"
    """A 429 with a reset; nothing was carried out."""
    DROPPED = "dropped"
    """The connection ends without an answer, and nothing was carried out."""
    DROPPED_AFTER = "dropped_after"
    """The same, after it was carried out."""


BAD = tuple(mood for mood in Mood if mood is not Mood.FINE)


@dataclass
class Moods:
    """Moods by a seed: `rate` of the requests have one of `kinds`, and `planned` go first."""

    seed: int = 0
    rate: float = 0.3
    kinds: tuple[Mood, ...] = BAD
    slow_seconds: float = 0.05
    reset_seconds: int = 1
    planned: list[Mood] = field(default_factory=list)
    counts: dict[Mood, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._random = Random(self.seed)  # noqa: S311 - repeatable on purpose
        self._lock = Lock()

    def next(self) -> Mood:
        """Return the mood of the next request."""
        with self._lock:
            if self.planned:
                mood = self.planned.pop(0)
            elif self._random.random() < self.rate:
                mood = self._random.choice(self.kinds)
            else:
                mood = Mood.FINE
            self.counts[mood] = self.counts.get(mood, 0) + 1
            return mood
