"""Which entries start now, and why the others wait; a function of the state alone."""

from collections import Counter
from typing import NamedTuple

from domain.queue.entry import EntryState, QueueEntry
from domain.queue.state import QueueState
from domain.queue.status import Phase

MAX_AT_ONCE = 20
"""Entries that start by one event; the next event starts more."""

MAX_STARTED = 500
"""Entries that were started and are not over; the standing of each is followed."""


class Places:
    """What works and what asks, as far as the limits count it."""

    def __init__(self, state: QueueState) -> None:
        self._limit = state.limit
        self.working = self.asking = self.started = 0
        self.projects: Counter[str] = Counter()
        self.hosts: Counter[str] = Counter()
        for load in state.loads:
            self._add(load.project, load.host, load.working)
            self.asking += load.asking
        for entry in state.entries.values():
            if entry.state in {EntryState.STARTING, EntryState.STARTED}:
                phase = state.phase(entry.entry_id) or Phase.WORKING
                self._add(entry.project, entry.host, int(phase is Phase.WORKING))
                self.asking += phase is Phase.ASKING
                self.started += 1

    def _add(self, project: str, host: str, number: int) -> None:
        self.working += number
        self.projects[project] += number
        self.hosts[host] += number

    def take(self, entry: QueueEntry) -> None:
        """Give an entry a place."""
        self.started += 1
        self._add(entry.project, entry.host, 1)

    def obstacle(self, entry: QueueEntry) -> str:
        """Return which limit keeps an entry from starting, empty where none does."""
        limit = self._limit
        if self.working >= limit.max_running:
            return taken(self.working, limit.max_running, "run")
        if limit.max_reviews and self.asking >= limit.max_reviews:
            return taken(self.asking, limit.max_reviews, "wait for a person")
        if (here := self.projects[entry.project]) >= limit.per_project:
            return taken(here, limit.per_project, "of its project run")
        if (here := self.hosts[entry.host]) >= limit.per_host:
            return taken(here, limit.per_host, "on its host run")
        if self.started >= MAX_STARTED:
            return f"{self.started} started ones are not over"
        return ""


def taken(number: int, limit: int, words: str) -> str:
    """Say how much of a limit is taken; there may be more than a limit that was lowered since."""
    if number > limit:
        return f"{number} {words}, the limit is {limit} now"
    return f"{number} of {limit} {words}"


class Need(NamedTuple):
    """How a dependency that has not completed stands; a broken one never completes by itself."""

    name: str
    status: str
    is_broken: bool


def needs(state: QueueState, entry: QueueEntry) -> list[Need]:
    """Return what an entry still waits for."""
    if entry.is_anyway:
        return []
    found = (_need(state, name) for name in entry.after)
    return [need for need in found if need is not None]


def _need(state: QueueState, name: str) -> Need | None:
    needed = state.entries.get(name)
    if needed is not None and needed.is_completed:
        return None
    if needed is not None and needed.state is EntryState.REMOVED and not needed.goes_on:
        return Need(name, "removed from the queue", is_broken=True)
    if needed is not None and needed.state.is_before_start:
        return Need(name, needed.state, is_broken=False)
    work = state.statuses.get(name)
    if work is None:
        started = needed.state if needed is not None and not needed.state.is_over else ""
        return Need(name, started or "not known yet", is_broken=False)
    match work.phase:
        case Phase.COMPLETED:
            return None
        case Phase.FAILED:
            return Need(name, work.status, is_broken=True)
        case Phase.GONE:
            return Need(name, "there is none, it may be deleted", is_broken=True)
        case _:
            return Need(name, work.words, is_broken=False)


def admitted(state: QueueState) -> tuple[QueueEntry, ...]:
    """Return the entries that start now, the first one first.

    By priority; among equals the project with the fewest running ones goes first, then the one that
    was not served for longest, then the order. Nobody waits for an entry that cannot start.
    """
    if state.is_held or not state.is_informed:
        return ()
    places, served, picked = Places(state), dict(state.served), list[QueueEntry]()
    ready = [e for e in state.waiting if e.state is EntryState.WAITING and not needs(state, e)]

    def rank(entry: QueueEntry) -> tuple[int, int, int, int]:
        project = entry.project
        return entry.priority, places.projects[project], served.get(project, 0), entry.order

    while len(picked) < MAX_AT_ONCE and (fitting := [e for e in ready if not places.obstacle(e)]):
        first = min(fitting, key=rank)
        ready.remove(first)
        picked.append(first)
        places.take(first)
        served[first.project] = state.ticks + len(picked)
    return tuple(picked)


def why(state: QueueState, entry: QueueEntry, places: Places | None = None) -> str:
    """Say in a phrase why an entry has not started; `places` are the state's, where many are asked."""
    if entry.state is not EntryState.WAITING:
        return entry.reason
    if state.is_held:
        return f"the queue is held by {state.held_by}" if state.held_by else "the queue is held"
    open_needs = [f"{need.name} ({need.status})" for need in needs(state, entry)]
    if open_needs:
        return f"waits for {', '.join(open_needs)}"
    if not state.is_informed:
        return "checking what else is running"
    return (places or Places(state)).obstacle(entry) or "others go first"
