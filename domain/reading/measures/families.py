"""The families of metrics: their names, labels and meanings, in the words of Prometheus.

No label has a value that a person typed, except names of agents, models and senders of webhooks: no title, path or
prompt.
"""

from enum import StrEnum
from typing import NamedTuple

PREFIX = "treadle_"
SHORT = (0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600)
"""Upper bounds in seconds of what takes from a moment to an hour."""


class Kind(StrEnum):
    """The kind of a family."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


class Family(NamedTuple):
    """A family of metrics; its name as scrapes show it, where a counter ends in `_total`."""

    name: str
    kind: Kind
    meaning: str
    labels: tuple[str, ...] = ()


def _counter(name: str, meaning: str, *labels: str) -> Family:
    return Family(f"{PREFIX}{name}_total", Kind.COUNTER, meaning, labels)


def _gauge(name: str, meaning: str, *labels: str) -> Family:
    return Family(f"{PREFIX}{name}", Kind.GAUGE, meaning, labels)


def _seconds(name: str, meaning: str, *labels: str) -> Family:
    return Family(f"{PREFIX}{name}_seconds", Kind.HISTOGRAM, meaning, labels)


TURNS = _counter("turns", "Turns of agents that ended.", "agent", "outcome")
TURN_TIME = _seconds("turn", "How long agents worked on turns that ended.", "agent")
TURN_DELAYS = _counter("turn_delays", "Turns that a provider refused for now.", "provider")
TOKENS = _counter("tokens", "Tokens as agents reported them.", "agent", "model", "type")
COST = _counter("cost", "Money spent, as agents reported it.", "agent", "model", "currency")
TOOL_CALLS = _counter("tool_calls", "Calls of tools by agents.", "agent", "outcome")
VERIFICATIONS = _counter("verifications", "Attempts at verification that ended.", "outcome")
STEP_TIME = _seconds("verification_step", "How long verification steps ran.", "outcome")
MERGES = _counter("merges", "Merges of tasks, chats and branches.", "unit", "outcome")
TASKS = _counter("tasks", "Runs of tasks that ended.", "outcome")
PLANS = _counter("plans", "Plans that ended.", "outcome")
FLOW_RUNS = _counter("flow_runs", "Runs of flows that ended.", "outcome")
DECISIONS = _counter("decisions", "Plans and gates decided.", "unit", "choice", "decider")
WEBHOOKS = _counter("webhook_deliveries", "Deliveries of webhooks taken.", "sender", "outcome")
REFUSED = _counter("webhook_refusals", "Deliveries of webhooks refused.", "sender", "reason")
OF_WEBHOOKS = (WEBHOOKS, REFUSED)
"""What webhooks add to, in whichever process they come in."""

OF_EVENTS = (
    *(TURNS, TURN_TIME, TURN_DELAYS, TOKENS, COST, TOOL_CALLS, VERIFICATIONS, STEP_TIME),
    *(MERGES, TASKS, PLANS, FLOW_RUNS, DECISIONS),
)
"""What events add to."""

WAITING = _gauge("waiting", "Items that wait for a person.", "kind")
WAITING_AGE = _gauge("waiting_oldest_seconds", "Age of the oldest item that waits.", "kind")
OPEN = _gauge("open", "Threads and flow runs that have not ended.", "kind", "status")
QUEUED = _gauge("queue_entries", "Entries of the queue that have not ended.", "status")
QUEUED_AGE = _gauge("queue_oldest_seconds", "Age of the oldest entry that has not started.")
POSITION = _gauge("journal_position", "Position of the newest event in the journal.")
READ_TIME = _gauge("journal_read_seconds", "How long the newest read of the journal took.")
UP = _gauge("up", "Whether a part answers: 1 or 0.", "part")
OF_STATE = (WAITING, WAITING_AGE, OPEN, QUEUED, QUEUED_AGE, POSITION, READ_TIME, UP)
"""How everything stands when an API is scraped."""

SLOTS = _gauge("turn_slots", "Turns that may run on this host at the same time.")
RUNNING = _gauge("turns_running", "Turns that run on this host.")
HELD_BACK = _gauge("turns_waiting", "Turns that wait for a slot of this host.")
OF_HOST = (SLOTS, RUNNING, HELD_BACK)
"""How a worker's host stands."""
