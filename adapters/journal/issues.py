"""Which issues threads come from, as their first events say."""

from collections.abc import Iterable

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.rows import event_of
from adapters.journal.tables import EVENTS, HEADLINES
from domain.core.ids import OF_ISSUE
from domain.forges.issues import IssueLink
from domain.threads.events import ThreadOpened

_FIRST = EVENTS.alias("first")
_POSITION = (
    select(func.min(_FIRST.c.position))
    .where(_FIRST.c.stream == HEADLINES.c.stream)
    .correlate(HEADLINES)
    .scalar_subquery()
)


async def issues_of(connection: AsyncConnection, threads: Iterable[str]) -> dict[str, IssueLink]:
    """Return the issues of threads that come from one; of others the journal is not asked."""
    names = [name for name in threads if name.startswith(OF_ISSUE)]
    if not names:
        return {}
    found = select(EVENTS).join_from(HEADLINES, EVENTS, EVENTS.c.position == _POSITION)
    rows = await connection.execute(found.where(HEADLINES.c.stream.in_(names)))
    opened = {str(row.stream): event_of(row).body for row in rows}
    return {
        name: body.issue
        for name, body in opened.items()
        if isinstance(body, ThreadOpened) and body.issue is not None
    }
