"""Texts of prunes: the receipts of what was removed."""

from domain.core.event_text import EventText, success, warning
from domain.reading.event_text.phrases import by
from domain.reading.event_text.registry import describe, describes
from domain.retention import events as retention_events


@describes(retention_events.PruneStarted)
def _describe_start(event: retention_events.PruneStarted) -> str:
    return f"Prune of {event.threads} threads started{by(event.by)}: {event.policy.words}"


@describes(retention_events.ThreadPruned)
def _describe_receipt(event: retention_events.ThreadPruned) -> EventText:
    held = f"{event.events} events, {event.tasks} tasks, {event.sessions} sessions"
    title = f" ({event.title})" if event.title else ""
    archive = f"; archived as {event.archive}" if event.archive else ""
    return success(f"{event.thread_id}{title} {event.outcome}: {held}{archive}")


describe(
    retention_events.PruneSkipped,
    lambda event: warning(f"{event.thread_id} kept: {event.reason}"),
)


@describes(retention_events.PruneEnded)
def _describe_end(event: retention_events.PruneEnded) -> str:
    return f"Prune ended: {event.pruned} threads removed, {event.skipped} kept"
