"""Which host each thread and flow run was placed on."""

import time
from collections.abc import Sequence
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, Connection, Integer, Table, Text, select, true

from adapters.journal.tables import HEADLINES, METADATA, NAME
from domain.hosts.host import label_list
from domain.hosts.placement import HostWish, joined

PLACEMENTS = Table(
    "placements",
    METADATA,
    Column("stream", NAME, primary_key=True),
    Column("host", NAME, nullable=False, index=True),
    Column("placed", BigInteger, nullable=False, server_default="0"),
    Column("generation", Integer, nullable=False, server_default="0"),
    Column("is_sent", Boolean, nullable=False, server_default=true()),
    Column("labels", Text, nullable=False, server_default=""),
)
"""`generation` counts the moves; the last one `is_sent` to the workflow. `labels` are those that were asked for."""

_UNOPENED_SECONDS = 600
"""How long a place is kept for what has not opened."""

_OVER = ("completed", "cancelled", "stopped", "deleted")
"""A thread or flow run of these takes no place of its host any more."""


def put(connection: Connection, stream: str, host: str, wish: HostWish | None = None) -> None:
    """Note where a thread or flow run is, and the labels of a wish."""
    placed: dict[str, Any] = {"host": host, "placed": int(time.time())}
    if wish is not None:
        placed["labels"] = ", ".join(wish.labels)
    there = PLACEMENTS.update().where(PLACEMENTS.c.stream == stream)
    if connection.execute(there.values(placed)).rowcount == 0:
        connection.execute(PLACEMENTS.insert().values(stream=stream, **placed))


def note(connection: Connection, stream: str, host: str, labels: Sequence[str]) -> None:
    """Note where a thread or flow run is, and labels besides those that were asked for."""
    wish = None
    if labels:
        asked = select(PLACEMENTS.c.labels).where(PLACEMENTS.c.stream == stream)
        wish = HostWish(labels=joined(label_list(connection.scalar(asked) or ""), labels))
    put(connection, stream, host, wish)


def all_placed() -> Any:
    """Return the query for each placement, and how its thread or flow run stands."""
    both = PLACEMENTS.outerjoin(HEADLINES, HEADLINES.c.stream == PLACEMENTS.c.stream)
    columns = (*PLACEMENTS.c, HEADLINES.c.status, HEADLINES.c.project)
    more = HEADLINES.c.is_archived
    return select(*columns, more).select_from(both).order_by(PLACEMENTS.c.stream)


def is_live(place: Any) -> bool:
    """Tell whether a row of `all_placed` takes a place of its host."""
    if place.status is None:  # it is being opened, waits in the queue, or came to nothing
        return time.time() - place.placed < _UNOPENED_SECONDS
    return place.status not in _OVER and not place.is_archived
