"""What goes wrong in a run, and when: data that follows from a seed."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

KINDS: dict[str, tuple[str, ...]] = {
    "worker": ("worker",),
    "api": ("api",),
    "server": ("temporal",),
    "agent": ("agent",),
    "worker+server": ("worker", "temporal"),
    "worker+agent": ("agent", "worker"),
    "everything": ("agent", "worker", "api", "temporal"),
    "stopped worker": (),
}
"""What is killed with -9 at the same moment; `agent` is one agent's process by chance."""

STOPPED = "stopped worker"
DECK = (*KINDS, "worker", "worker", "agent", STOPPED)
"""Drawn to its end and shuffled again, so that short runs meet nearly every kind too."""

GAP_SECONDS = (1.0, 6.0)
EARLY = 0.2
STOP_SECONDS = (3.0, 20.0)


@dataclass(frozen=True)
class Fault:
    """One fault: after how long a wait, of which kind, and how long a stopped worker stands.

    The wait begins when all parts run again, of an early one at once: it strikes a recovery.
    """

    gap: float
    kind: str
    stop_seconds: float = 0.0
    is_early: bool = False


def faults(seed: int) -> Iterator[Fault]:
    """Yield the faults of a seed without end."""
    chance = random.Random(seed)  # noqa: S311  (a schedule that can be had again)
    while True:
        for kind in chance.sample(DECK, len(DECK)):
            gap, stop = chance.uniform(*GAP_SECONDS), chance.uniform(*STOP_SECONDS)
            is_early = chance.random() < EARLY
            yield Fault(gap, kind, stop if kind == STOPPED else 0.0, is_early)
