"""How everything stands, as gauges."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime

from domain.core.event import Headline
from domain.core.status_words import shown_status
from domain.queue.entry import QueueEntry
from domain.reading.inbox.item import InboxItem, InboxKind
from domain.reading.measures import families as of
from domain.reading.measures.events import Measure


def measure_waits(items: Iterable[InboxItem], now: datetime) -> Iterator[Measure]:
    """Yield what waits for a person, and how long the oldest of each kind has; none is a 0."""
    since: dict[str, list[datetime]] = {kind: [] for kind in InboxKind}
    for item in items:
        since[item.kind].append(item.since)
    for kind, begun in since.items():
        age = max((now - min(begun)).total_seconds(), 0) if begun else 0
        yield Measure(of.WAITING, (str(kind),), len(begun))
        yield Measure(of.WAITING_AGE, (str(kind),), age)


def measure_open(lines: Iterable[Headline]) -> Iterator[Measure]:
    """Yield how many threads and flow runs go on, by how they stand."""
    counted = Counter((line.kind, shown_status(line.status, line.waiting_for)) for line in lines)
    for labels, number in counted.items():
        yield Measure(of.OPEN, labels, number)


def measure_queue(entries: Iterable[QueueEntry], now: datetime) -> Iterator[Measure]:
    """Yield how the entries of the queue stand, and the age of the oldest that has not started."""
    open_entries = [entry for entry in entries if not entry.state.is_over]
    counted = Counter(str(entry.state) for entry in open_entries)
    for status, number in counted.items():
        yield Measure(of.QUEUED, (status,), number)
    waiting = [e.enqueued_at for e in open_entries if e.state.is_before_start and e.enqueued_at]
    age = max((now - min(waiting)).total_seconds(), 0) if waiting else 0
    yield Measure(of.QUEUED_AGE, (), age)
