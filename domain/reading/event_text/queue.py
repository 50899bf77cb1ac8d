"""Texts of the queue and its entries."""

from domain.core.event_text import error, success, warning
from domain.queue import events as queue_events
from domain.reading.event_text.phrases import after, by
from domain.reading.event_text.registry import describe, silence


def _subject(entry_id: str | None) -> str:
    return f"Entry {entry_id}" if entry_id else "Queue"


describe(
    queue_events.EntryEnqueued,
    lambda event: f"Entry {event.entry.entry_id} queued{by(event.by)}{after(event.entry.title)}",
)
describe(
    queue_events.EntrySkipped,
    lambda event: warning(
        f"Entry {event.entry_id} of {event.series} skipped"
        + after(event.reason or (f"{event.earlier} is still open" if event.earlier else ""))
    ),
)
describe(
    queue_events.EntryMoved,
    lambda event: f"Entry {event.entry_id} moved{by(event.by)} to priority {event.priority}",
)
describe(
    queue_events.EntryHeld,
    lambda event: warning(f"{_subject(event.entry_id)} held{by(event.by)}{after(event.reason)}"),
)
describe(
    queue_events.EntryReleased, lambda event: f"{_subject(event.entry_id)} released{by(event.by)}"
)
describe(
    queue_events.EntryBlocked,
    lambda event: warning(f"Entry {event.entry_id} blocked: {event.reason}"),
)
describe(queue_events.EntryUnblocked, lambda event: f"Entry {event.entry_id} unblocked")
describe(
    queue_events.EntryStarting,
    lambda event: f"Entry {event.entry_id} starting, attempt {event.attempt}",
)
describe(queue_events.EntryStarted, lambda event: success(f"Entry {event.entry_id} started"))
describe(
    queue_events.EntryRefused,
    lambda event: error(f"Entry {event.entry_id} failed to start: {event.reason}"),
)
describe(queue_events.EntryEnded, lambda event: f"Entry {event.entry_id} ended: {event.outcome}")
describe(queue_events.EntryRemoved, lambda event: f"Entry {event.entry_id} removed{by(event.by)}")
describe(
    queue_events.LimitsSet,
    lambda event: (
        f"Limits set{by(event.by)}: {event.limits.max_running} running, "
        f"{event.limits.per_project} per project, {event.limits.per_host} per host"
        if event.limits
        else f"Limits reset{by(event.by)}"
    ),
)
silence(queue_events.QueueOpened, queue_events.StatusesNoted)
