"""Everything that waits for a person, of all projects: for the API, and for the news that go out."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime

from adapters.journal import SqlJournal
from adapters.journal.changes import Attended
from adapters.readings.projections import (
    FlowProjections,
    MoneyProjections,
    QueueProjections,
    ThreadProjections,
    TrackerProjections,
)
from adapters.readings.seen_hosts import seen_hosts
from domain.agents.billing import MoneyOptions
from domain.agents.limits.money import month_of
from domain.core.errors import NotFoundError
from domain.core.ids import ThreadId
from domain.hosts.host import SILENT_SECONDS
from domain.queue.inputs import QUEUE
from domain.reading.inbox.flow_runs import flow_items
from domain.reading.inbox.hosts import host_items
from domain.reading.inbox.idle import IDLE
from domain.reading.inbox.issues import asking_issues, issue_items
from domain.reading.inbox.item import Inbox, InboxItem
from domain.reading.inbox.mentions import mention_items
from domain.reading.inbox.money import money_items, threads_asked
from domain.reading.inbox.queue import queue_items
from domain.reading.inbox.threads import thread_items

FEW = 50
"""Threads that are read together, between which others have their turn."""


class Inboxes:
    """The inbox; the items of each thread and run are kept until something happens there."""

    def __init__(
        self,
        journal: SqlJournal,
        threads: ThreadProjections,
        runs: FlowProjections,
        queue: QueueProjections,
        silent_seconds: float = SILENT_SECONDS,
        *,
        time_zone: str = "UTC",
    ) -> None:
        self._time_zone = time_zone
        self._journal = journal
        self._threads = threads
        self._runs = runs
        self._queue = queue
        self._trackers = TrackerProjections(journal)
        self._money = MoneyProjections(journal)
        self._silent_seconds = silent_seconds
        self._lock = asyncio.Lock()
        self._known: dict[str, tuple[InboxItem, ...]] = {}
        self._position = 0

    async def newest(self, projects: Collection[str] | None = None) -> Inbox:
        """Return everything that is waiting now, oldest first; of hosts what is of some projects, None is all."""
        async with self._lock:
            upto = await self._journal.position()
            lines = await self._journal.attended()
            changed = await self._changed(upto)
            kept = {name: found for name, found in self._known.items() if name not in changed}
            new = [line for line in lines if line.stream not in kept]
            kept |= await self._read(new, upto)
            known = {line.stream: kept.get(line.stream, ()) for line in lines}
            self._known, self._position = known, upto
        items = [item for found in known.values() for item in found]
        items += await self._of_queue()
        items += await self._of_trackers()
        items += await self._of_money()
        items += await self._of_hosts(projects)
        items.sort(key=lambda item: (item.since, item.item_id))
        # each was checked when it was made: thousands of them are not checked again
        return Inbox.model_construct(items=tuple(items), position=upto)

    async def mentions(self, person: str, sees: Callable[[str], bool]) -> tuple[InboxItem, ...]:
        """Return where a person is mentioned, in threads of projects that they see, archived ones not."""
        found = await self._journal.people.mentions.unseen_of(person)
        threads = {mention.top for mention in found}
        shown = await self._journal.lines_of(threads) if threads else []
        lines = {one.stream: one for one in shown if not one.is_archived}
        return mention_items(found, {n: line for n, line in lines.items() if sees(line.project)})

    async def _read(self, lines: Sequence[Attended], upto: int) -> dict[str, tuple[InboxItem, ...]]:
        """Return the items of several: after a start of the many, later of the few that changed."""
        threads = [line.stream for line in lines if line.kind != "flow"]
        if len(threads) <= FEW:
            return {line.stream: await self._items(line) for line in lines}
        found = {line.stream: await self._items(line) for line in lines if line.kind == "flow"}
        for first in range(0, len(threads), FEW):
            folds = await self._threads.folded(threads[first : first + FEW], upto)
            for name, fold in folds.items():
                view = fold.view()
                found[name] = thread_items(view, fold.asked) if view else ()
        return found

    async def _of_queue(self) -> tuple[InboxItem, ...]:
        try:
            queue = await self._queue.fold(QUEUE)
        except NotFoundError:
            return ()  # never used
        return queue_items(queue.view(), queue.asked)

    async def _of_trackers(self) -> tuple[InboxItem, ...]:
        """Return the items of all trackers, also of those that the settings have no more."""
        lines = await self._journal.headlines("tracker")
        folds = {str(line.stream): await self._trackers.of_stream(line.stream) for line in lines}
        threads = {issue.entry_id for _, issue in asking_issues(folds)}
        shown = await self._journal.lines_of(threads) if threads else []
        return issue_items(folds, {one.stream: one for one in shown if not one.is_archived})

    async def _of_money(self) -> tuple[InboxItem, ...]:
        fold = await self._money.newest()
        month = month_of(datetime.now(UTC), self._time_zone)
        threads = threads_asked(fold)
        of = self._journal.people.projects.of
        projects = {str(name): await of(name) or "" for name in threads}
        held = await self._journal.ledger(MoneyOptions()).held() if fold.state.asked else {}
        return money_items(fold, month, held, projects)

    async def _of_hosts(self, projects: Collection[str] | None) -> tuple[InboxItem, ...]:
        hosts = await self._journal.host_work.watched(self._silent_seconds)
        seen = await seen_hosts(hosts, self._journal, projects)
        return host_items(seen, self._silent_seconds, datetime.now(UTC))

    async def _changed(self, upto: int) -> set[str]:
        if upto < self._position:
            self._known = {}  # the journal was replaced
        if not self._known:
            return set()
        return await self._journal.changed_tops(self._position, upto, IDLE)

    async def _items(self, line: Attended) -> tuple[InboxItem, ...]:
        try:
            if line.kind == "flow":
                run = await self._runs.fold(line.stream)
                found = run.view()
                return flow_items(found, run.asked) if found else ()
            thread = await self._threads.fold(ThreadId(line.stream))
            view = thread.view()
            return thread_items(view, thread.asked) if view else ()
        except NotFoundError:
            return ()  # removed meanwhile
