"""The inbox: everything that is waiting for a person, of all projects."""

import asyncio
from typing import Annotated

from fastapi import APIRouter

from adapters.journal import SqlJournal
from api.core.dependencies import from_app
from api.core.projections import FlowProjections, QueueProjections, ThreadProjections
from domain.core.errors import NotFoundError
from domain.core.event import Headline
from domain.core.ids import ThreadId
from domain.queue.inputs import QUEUE
from domain.reading.inbox.flow_runs import flow_items
from domain.reading.inbox.idle import IDLE
from domain.reading.inbox.item import Inbox, InboxItem
from domain.reading.inbox.queue import queue_items
from domain.reading.inbox.threads import thread_items


class Inboxes:
    """The inbox; the items of each thread and run are kept until something happens there."""

    def __init__(
        self,
        journal: SqlJournal,
        threads: ThreadProjections,
        runs: FlowProjections,
        queue: QueueProjections,
    ) -> None:
        self._journal = journal
        self._threads = threads
        self._runs = runs
        self._queue = queue
        self._lock = asyncio.Lock()
        self._known: dict[str, tuple[InboxItem, ...]] = {}
        self._position = 0

    async def newest(self) -> Inbox:
        """Return everything that is waiting now, oldest first."""
        async with self._lock:
            upto = await self._journal.position()
            lines = await self._journal.attended()
            changed = await self._changed(upto)
            kept = {name: found for name, found in self._known.items() if name not in changed}
            known: dict[str, tuple[InboxItem, ...]] = {
                line.stream: kept[line.stream] if line.stream in kept else await self._items(line)
                for line in lines
            }
            self._known, self._position = known, upto
        items = [item for found in known.values() for item in found]
        items += await self._of_queue()
        items.sort(key=lambda item: (item.since, item.item_id))
        return Inbox(items=tuple(items), position=upto)

    async def _of_queue(self) -> tuple[InboxItem, ...]:
        try:
            queue = await self._queue.fold(QUEUE)
        except NotFoundError:
            return ()  # never used
        return queue_items(queue.view(), queue.asked)

    async def _changed(self, upto: int) -> set[str]:
        if upto < self._position:
            self._known = {}  # the journal was replaced
        if not self._known:
            return set()
        return await self._journal.changed_tops(self._position, upto, IDLE)

    async def _items(self, line: Headline) -> tuple[InboxItem, ...]:
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


InboxesDep = Annotated[Inboxes, from_app("inboxes")]

router = APIRouter(tags=["inbox"], prefix="/inbox")


@router.get("")
async def inbox(inboxes: InboxesDep) -> Inbox:
    """List everything that is waiting for a person, oldest first."""
    return await inboxes.newest()
