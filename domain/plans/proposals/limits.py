"""How large a plan may be, and which later rules it must keep.

A plan lies in histories, once in all, and its tasks once each.
"""

from typing import Any, NamedTuple

from domain.core.wire import lean_json, size_bytes


class PlanLimits(NamedTuple):
    """How many tasks a plan may have, and how much they may say."""

    tasks: int = 1_000
    bytes: int = 1 << 20
    """Of its JSON as histories hold it. A payload of Temporal has two megabytes, with what comes with a plan."""

    asked: int = 1_250_000
    """Of the newest plans of all planners together: a thread carries them along in one payload."""

    values: int = 200_000
    """Of its JSON, at any depth."""

    counts_defaults: bool = False

    def size_of(self, value: Any) -> int:
        """Return how much a plan, or a task of it, says, in bytes."""
        return size_bytes(value) if self.counts_defaults else len(lean_json(value))


FORMER_LIMITS = PlanLimits(
    tasks=200, bytes=512 << 10, asked=700_000, values=30_000, counts_defaults=True
)
"""Of threads that began before 2026-11-27."""


class PlanRules(NamedTuple):
    """The later rules, which hold for plans of threads that began with them."""

    names_gates_once: bool = False
    """One warning names all tasks without a gate."""

    names_few: bool = False
    """That warning names the first of many, and how many more there are."""

    checks_health_urls: bool = False
    """A health check that no run would ask is a problem of the plan."""

    checks_secret_names: bool = False
    """An id that looks like a secret is a problem of the plan."""

    limits: PlanLimits = FORMER_LIMITS

    takes_best_of: bool = False
    """Several agents may do a task at once."""

    beside: tuple[str, ...] = ()
    """The names of the repositories beside the thread's own, which tasks may name."""


FIRST_RULES = PlanRules()
"""What holds for the oldest threads."""
