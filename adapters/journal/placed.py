"""What is placed on hosts and not over, with all that decides whether it can move."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from adapters.journal.placements import is_live
from adapters.journal.rows import event_of
from adapters.journal.tables import EVENTS
from domain.core.remote_repositories import is_remote
from domain.hosts.failover import Placed
from domain.hosts.host import label_list
from domain.threads.events import ThreadOpened

_MANY = 500
"""Streams of one query; a database takes only so many parameters."""


def live_of(connection: Connection, rows: Sequence[Any]) -> list[Placed]:
    """Return what has opened and is not over, of the rows of all placements."""
    live = [row for row in rows if row.status is not None and is_live(row)]
    folders = _folders(connection, [row.stream for row in live if is_remote(row.project)])
    return [
        Placed(
            stream=row.stream,
            host=row.host,
            generation=row.generation,
            project=row.project,
            labels=label_list(row.labels),
            folders=folders.get(row.stream, ()),
        )
        for row in live
    ]


def _folders(connection: Connection, threads: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return of threads that have them: the other repositories that are folders of a host."""
    found = dict[str, tuple[str, ...]]()
    for first in range(0, len(threads), _MANY):
        some = threads[first : first + _MANY]
        opened = select(EVENTS).where(EVENTS.c.stream.in_(some), EVENTS.c.kind == "thread_opened")
        for row in connection.execute(opened):
            body = event_of(row).body
            if isinstance(body, ThreadOpened):
                others = (each.repository for each in body.beside)
                found[row.stream] = tuple(each for each in others if not is_remote(each))
    return found
