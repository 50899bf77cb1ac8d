"""Following how threads and flow runs stand, for the queue."""

import asyncio
from collections import Counter

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.event import Headline
from domain.core.ids import StreamId
from domain.core.ports import Journal
from domain.core.status_words import status_words
from domain.flows.events import FlowStarted
from domain.queue.inputs import ChangedStatuses, StatusQuery
from domain.queue.status import Load, Phase, WorkStatus, phase_of
from domain.threads.events import ThreadOpened

LOOK_SECONDS = 0.5
"""How often the journal is asked whether it has grown."""

SURE_SECONDS = 30.0
"""How often it is looked though it has not: what was deleted leaves no event."""

MAX_KNOWN = 10_000


class StatusChanges:
    """Looks at the journal until something stands otherwise than the queue knows."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._places: dict[str, tuple[str, bool]] = {}

    @activity.defn
    async def follow_statuses(self, call: StatusQuery) -> ChangedStatuses:
        """Return what has changed as soon as something has; asking again is harmless.

        A worker that ends tells that nothing has: the next one goes on looking.
        """
        async with beating():
            with translated():
                while True:
                    seen = await self._journal.position()
                    if (news := await self._news(call)) is not None:
                        return news
                    await self._growth(seen)
                    if activity.is_worker_shutdown():
                        return ChangedStatuses(loads=call.loads)

    async def _growth(self, seen: int) -> None:
        """Wait until the journal has grown, or for long enough to look again anyway."""
        for _ in range(int(SURE_SECONDS / LOOK_SECONDS)):
            await asyncio.sleep(LOOK_SECONDS)
            is_ending = activity.is_worker_shutdown()
            if is_ending or await self._journal.position() != seen:
                return

    async def _news(self, call: StatusQuery) -> ChangedStatuses | None:
        known = {**call.needed, **call.own}
        lines = {line.stream: line for line in await self._journal.open_headlines(tuple(known))}
        found = {name: _work_status(lines.get(StreamId(name))) for name in known}
        changed = {
            name: work
            for name, work in found.items()
            if work.phase is not known[name] and not _is_to_come(name, work, call)
        }
        others = [line for name, line in lines.items() if name not in call.own]
        loads = await self._loads(others)
        if not changed and loads == call.loads and call.is_informed:
            return None
        return ChangedStatuses(statuses=changed, loads=loads)

    async def _loads(self, lines: list[Headline]) -> tuple[Load, ...]:
        working, asking = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
        for line in lines:
            phase = phase_of(line.status)
            if phase not in {Phase.WORKING, Phase.ASKING}:
                continue
            host, is_child = await self._place(line.stream)
            if not is_child:
                (working if phase is Phase.WORKING else asking)[line.project, host] += 1
        return tuple(
            Load(project=key[0], host=key[1], working=working[key], asking=asking[key])
            for key in sorted({*working, *asking})
        )

    async def _place(self, stream: StreamId) -> tuple[str, bool]:
        """Return the host of a thread or run, and whether it is a part of another's plan."""
        if stream not in self._places:
            first = await self._journal.read(stream, limit=1)
            body = first[0].event.body if first else None
            is_child = isinstance(body, ThreadOpened | FlowStarted) and body.parent is not None
            if len(self._places) >= MAX_KNOWN:
                self._places.clear()
            self._places[stream] = str(getattr(body, "host", "")), is_child
        return self._places[stream]


def _work_status(line: Headline | None) -> WorkStatus:
    if line is None:
        return WorkStatus(phase=Phase.GONE, status="gone")
    words = status_words(line.status, line.waiting_for)
    return WorkStatus(phase=phase_of(line.status), status=words)


def _is_to_come(name: str, work: WorkStatus, call: StatusQuery) -> bool:
    """Tell whether the queue's own entry is not in the journal yet: it was never seen there."""
    return work.phase is Phase.GONE and name in call.own and call.own[name] is None
