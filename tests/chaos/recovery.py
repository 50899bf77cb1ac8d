"""How long interrupted agents stood still: from a kill of the worker to their next sign of life."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from domain.conversations import events as session_events
from domain.core.event import Event
from tests.chaos.evidence import Thread

SIGNS = (
    session_events.AgentSessionOpened
    | session_events.PromptSent
    | session_events.AgentUpdate
    | session_events.ToolCalled
    | session_events.TurnEnded
)


@dataclass(frozen=True)
class Struck:
    """A fault as it happened; `is_early` where the engine was still recovering from another."""

    at: datetime
    kind: str
    in_flight: int
    is_early: bool = False


@dataclass(frozen=True)
class Recovery:
    """Seconds from a fault to the first agent's next act, and to that of each interrupted turn."""

    first: tuple[float, ...]
    each: tuple[float, ...]


def recovery(threads: Iterable[Thread], struck: Sequence[Struck]) -> Recovery:
    """Return how long interrupted turns stood still after these faults."""
    turns = [turn for thread in threads for turn in _turns(thread)]
    first: list[float] = []
    each: list[float] = []
    for fault in struck:
        gaps: list[float] = []
        for turn in turns:
            after = [at for at in turn if at > fault.at]
            if turn[0] <= fault.at and after:
                gaps.append((after[0] - fault.at).total_seconds())
        first += [min(gaps)] if gaps else []
        each += gaps
    return Recovery(tuple(first), tuple(each))


def quantiles(seconds: Sequence[float]) -> str:
    """Return median, 95th percentile and maximum in words."""
    if not seconds:
        return "none"
    ordered = sorted(seconds)
    p95 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    middle = statistics.median(ordered)
    return f"p50 {middle:.1f} s, p95 {p95:.1f} s, max {ordered[-1]:.1f} s (n={len(ordered)})"


def _turns(thread: Thread) -> list[list[datetime]]:
    """Return the times at which each turn's agent gave a sign of life."""
    signs: dict[str, list[datetime]] = {}
    for event in (journaled.event for journaled in thread.events):
        if isinstance(event.body, SIGNS):
            signs.setdefault(_turn(event), []).append(event.at)
    return [sorted(times) for times in signs.values()]


def _turn(event: Event) -> str:
    body = event.body
    return body.result.turn_id if isinstance(body, session_events.TurnEnded) else str(body.turn_id)
