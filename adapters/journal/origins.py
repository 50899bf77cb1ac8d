"""Where threads come from that no person opened at Treadle itself, as their first events say."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.rows import event_of
from adapters.journal.tables import EVENTS, HEADLINES
from domain.core.acting import program_of
from domain.core.ids import OF_ISSUE, OF_PROGRAM
from domain.threads.events import ThreadOpened

_FIRST = EVENTS.alias("first")
_POSITION = (
    select(func.min(_FIRST.c.position))
    .where(_FIRST.c.stream == HEADLINES.c.stream)
    .correlate(HEADLINES)
    .scalar_subquery()
)


async def origins_of(
    connection: AsyncConnection, threads: Iterable[str]
) -> dict[str, dict[str, Any]]:
    """Return the `issue` of threads that come from one, and by whom those of programs are `opened_by`.

    Of others the journal is not asked.
    """
    names = [name for name in threads if name.startswith((OF_ISSUE, OF_PROGRAM))]
    if not names:
        return {}
    found = select(EVENTS).join_from(HEADLINES, EVENTS, EVENTS.c.position == _POSITION)
    rows = await connection.execute(found.where(HEADLINES.c.stream.in_(names)))
    opened = {str(row.stream): event_of(row).body for row in rows}
    return {
        name: {
            "issue": body.issue,
            "opened_by": body.opened_by if program_of(body.opened_by) else "",
        }
        for name, body in opened.items()
        if isinstance(body, ThreadOpened)
    }
