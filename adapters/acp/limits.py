"""What a turn may take: time, bytes, events; and texts and events cut to their size."""

import json
from dataclasses import dataclass, field
from typing import Any

from adapters.tolerant import as_dict, as_list
from domain.agents.limits.circling import CirclingLimits

NOTE_BYTES = 2 << 10
"""How much of an agent's words a notice or an error quotes."""

EVENT_BYTES = 256 << 10
_LONGEST_TEXTS = (128 << 10, 16 << 10, 1 << 10)


@dataclass(frozen=True)
class TurnLimits:
    """When a turn is given up, and how much of it is kept.

    Seconds: of silence, that an agent may take to obey a cancel, and from SIGTERM to SIGKILL; the
    last two together stay below 10. What a turn took so far is told every `spending_seconds`. `max_turn_bytes` is what an agent may say in one turn. Of that,
    `max_events` and `max_event_bytes` are recorded, at most `events_per_second` of them; the rest is
    counted.
    """

    idle_seconds: float = 1800.0
    cancel_seconds: float = 4.0
    grace_seconds: float = 5.0
    tick_seconds: float = 1.0
    spending_seconds: float = 60.0
    max_turn_bytes: int = 256 << 20
    max_events: int = 20_000
    max_event_bytes: int = 64 << 20
    events_per_second: int = 2_000
    circling: CirclingLimits = field(default_factory=CirclingLimits)


@dataclass(frozen=True)
class Patience:
    """How long agents may take and processes may idle, in seconds.

    `initialize` is for the slowest start that was seen, 40 s on a busy machine, not for a quick one.
    `tools_listed` is for an agent that rests and has not asked for its tools; one that still computes, as
    it does while it imports, has `tools_at_work` in all.
    """

    initialize: float = 120.0
    tools_listed: float = 5.0
    tools_at_work: float = 50.0
    idle_process: float = 600.0
    idle_planner: float = 30.0
    idle_processes: int = 8
    """How many may idle; of more, the one that idles longest is closed."""


def clipped(text: str, limit_bytes: int = NOTE_BYTES) -> str:
    """Return a text, its end cut off and marked where it is longer than a limit in UTF-8."""
    raw = text.encode(errors="replace")
    if len(raw) <= limit_bytes:
        return text
    return f"{raw[:limit_bytes].decode(errors='ignore')} [... {len(raw) - limit_bytes} bytes cut]"


def fitted(update: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """Return an update cut to 256 KiB, and its size: long texts go first, then lists and objects."""
    size = len(json.dumps(update))
    for longest in _LONGEST_TEXTS:
        if size <= EVENT_BYTES:
            return update, size
        update = as_dict(_with_texts_cut(update, longest))
        size = len(json.dumps(update))
    if size > EVENT_BYTES:
        names = ("sessionUpdate", "toolCallId", "title", "kind", "status")
        update = {name: update[name] for name in names if isinstance(update.get(name), str)}
    return update, len(json.dumps(update))


def _with_texts_cut(value: Any, longest: int) -> Any:
    if isinstance(value, str):
        return clipped(value, longest)
    if isinstance(value, dict):
        return {k: _with_texts_cut(v, longest) for k, v in as_dict(value).items()}
    if isinstance(value, list):
        return [_with_texts_cut(item, longest) for item in as_list(value)]
    return value
