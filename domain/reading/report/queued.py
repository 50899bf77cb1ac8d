"""The queue: how long entries wait for their start, and what could not be started."""

from datetime import datetime

from domain.queue import events as queue_events
from domain.reading.listing import is_project
from domain.reading.report.causes import Failed, WaitCause, cause_of
from domain.reading.report.state import StreamState, counts


@counts(queue_events.QueueOpened)
def _opened(state: StreamState, event: queue_events.QueueOpened, at: datetime) -> None:
    del event, at
    state.waits.clear()  # whatever an earlier queue held is forgotten


@counts(queue_events.EntryEnqueued)
def _enqueued(state: StreamState, event: queue_events.EntryEnqueued, at: datetime) -> None:
    if not state.project or is_project(event.entry.project, state.project):
        state.begin(f"entry {event.entry.entry_id}", WaitCause.QUEUE, at)


@counts(queue_events.EntryStarted)
def _started(state: StreamState, event: queue_events.EntryStarted, at: datetime) -> None:
    state.end(f"entry {event.entry_id}", at)


@counts(queue_events.EntryRefused)
def _refused(state: StreamState, event: queue_events.EntryRefused, at: datetime) -> None:
    if f"entry {event.entry_id}" in state.waits:
        state.book.at(at).failures[Failed.START, cause_of(event.reason)] += 1


@counts(queue_events.EntryRemoved)
def _removed(state: StreamState, event: queue_events.EntryRemoved, at: datetime) -> None:
    del at
    state.waits.pop(f"entry {event.entry_id}", None)  # it was never to start
