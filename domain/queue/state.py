"""What is known of the queue."""

from collections.abc import Iterator

from domain.core.wire import Wire
from domain.queue.entry import EntryState, QueueEntry, QueueLimits
from domain.queue.status import Load, Phase, WorkStatus


class QueueState(Wire):
    """The queue.

    `entries` are those that are not over and the newest that are. `standings` are how started
    entries, and others that an entry waits for, stand; `loads` all else that works or asks, by
    project and host. Until `is_informed` nothing is known of that, and nothing is started.
    `served` is at which tick each waiting project's newest entry was started, or its first one came.
    `limits` are a person's; where there are none, `defaults` are the settings'.
    """

    entries: dict[str, QueueEntry] = {}
    statuses: dict[str, WorkStatus] = {}
    loads: tuple[Load, ...] = ()
    is_informed: bool = False
    served: dict[str, int] = {}
    ticks: int = 0
    limits: QueueLimits | None = None
    defaults: QueueLimits = QueueLimits()
    is_held: bool = False
    held_by: str = ""

    @property
    def limit(self) -> QueueLimits:
        """The limits that count."""
        return self.limits or self.defaults

    @property
    def open(self) -> Iterator[QueueEntry]:
        """Entries that are not over."""
        return (entry for entry in self.entries.values() if not entry.state.is_over)

    @property
    def waiting(self) -> list[QueueEntry]:
        """Entries that were not started, in the order in which they would be if nothing held them."""
        before = (e for e in self.entries.values() if e.state.is_before_start)
        return sorted(before, key=lambda entry: (entry.priority, entry.order))

    @property
    def own(self) -> tuple[str, ...]:
        """The ids of the entries that take a place by themselves."""
        started = {EntryState.STARTING, EntryState.STARTED}
        return tuple(e.entry_id for e in self.entries.values() if e.state in started)

    @property
    def needed(self) -> tuple[str, ...]:
        """The ids that entries wait for and whose standing no entry says."""
        names = {
            name
            for entry in self.entries.values()
            if entry.state.is_before_start and not entry.is_anyway
            for name in entry.after
            if self._is_asked_of_others(name)
        }
        return tuple(sorted(names))

    def _is_asked_of_others(self, name: str) -> bool:
        """Tell whether no entry says by itself how a dependency stands."""
        entry = self.entries.get(name)
        if entry is None or entry.goes_on:
            return True
        return entry.state is EntryState.ENDED and not entry.is_completed

    def phase(self, name: str) -> Phase | None:
        """Return how a thread or run stands, None where that is not known yet."""
        work = self.statuses.get(name)
        return work.phase if work else None
