"""What is on hosts: their threads and flow runs as lists show them, and which silence holds up."""

from collections import defaultdict
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, select

from adapters.journal.engines import Engines
from adapters.journal.hosts import hosts_as_they_stand, rows_of
from adapters.journal.lists import AT_WORK
from adapters.journal.placements import PLACEMENTS, all_placed, is_live
from adapters.journal.presence import Presence
from adapters.journal.tables import HEADLINES
from domain.core.ids import thread_of
from domain.core.status_words import shown_status
from domain.hosts.host import Host
from domain.hosts.work import HostLine


class HostWork:
    """The work of hosts, read by the connections of an open journal."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._presence = Presence(engines)

    async def watched(self, limit: float) -> list[Host]:
        """Return all hosts by name; with threads only those that fell silent, so it is quick while none has."""
        ages = await self._presence.ages()

        def read(connection: Connection) -> list[Host]:
            rows = rows_of(connection)
            hosts = hosts_as_they_stand(rows, (), ages)
            silent = [host.host for host in hosts if host.has_fallen_silent(limit)]
            if not silent:
                return hosts
            placed = connection.execute(all_placed().where(PLACEMENTS.c.host.in_(silent))).all()
            return hosts_as_they_stand(rows, placed, ages)

        return await self._engines.lookups.run(read)

    async def turns(self) -> dict[str, int]:
        """Return how many tasks and conversations are at work in each thread or flow run where any is."""
        work = await self._engines.lookups.run(_at_work)
        return {top: len(at_work) for top, at_work in work.items()}

    async def on(self, host: str, projects: Collection[str] | None) -> list[HostLine]:
        """Return what is open on a host of some projects, None for all: first what is at work, then the latest."""

        def read(connection: Connection) -> list[HostLine]:
            work = _at_work(connection)
            rows = connection.execute(_open_on(host)).all()
            mine = [row for row in rows if projects is None or row.project in projects]
            return [_line(row, len(work[row.stream])) for row in mine if is_live(row)]

        found = await self._engines.lookups.run(read)
        return sorted(found, key=lambda line: -line.turns)


def _open_on(host: str) -> Any:
    joined = PLACEMENTS.join(HEADLINES, HEADLINES.c.stream == PLACEMENTS.c.stream)
    shown = ("kind", "title", "project", "status", "waiting_for", "is_archived")
    columns = (*PLACEMENTS.c, *(HEADLINES.c[name] for name in shown))
    there = select(*columns).select_from(joined).where(PLACEMENTS.c.host == host)
    return there.order_by(HEADLINES.c.changed.desc())


def _at_work(connection: Connection) -> dict[str, set[str]]:
    """Return the tasks and conversations at work of each thread or flow run; a task's session is the task's."""
    found = defaultdict[str, set[str]](set)
    for stream in connection.scalars(AT_WORK):
        found[str(thread_of(stream))].add("/".join(stream.split("/")[:2]))
    return found


def _line(row: Any, turns: int) -> HostLine:
    return HostLine(
        stream=row.stream,
        kind=row.kind,
        title=row.title,
        project=row.project,
        status=shown_status(row.status, row.waiting_for),
        turns=turns,
    )
