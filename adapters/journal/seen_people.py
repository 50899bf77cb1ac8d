"""People as they were last seen: the groups that the identity provider named when they signed in."""

import json
from datetime import UTC, datetime

from sqlalchemy import Boolean, Column, Connection, Table, Text, select

from adapters.journal.engines import Engines
from adapters.journal.tables import METADATA
from domain.core.wire import Wire

PEOPLE = Table(
    "people",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("groups", Text, nullable=False),
    Column("is_owner", Boolean, nullable=False),
    Column("seen_at", Text, nullable=False),
)


class SeenPerson(Wire):
    """A person as they were last seen."""

    person: str
    groups: tuple[str, ...] = ()
    is_owner: bool = False
    """Whether it is the user that the server runs as."""
    seen_at: datetime


class SeenPeople:
    """The people, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def of(self, person: str) -> SeenPerson | None:
        """Return a person as they were last seen; None for one who never was."""
        query = select(PEOPLE).where(PEOPLE.c.person == person)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        if row is None:
            return None
        return SeenPerson(
            person=row.person,
            groups=tuple(json.loads(row.groups)),
            is_owner=row.is_owner,
            seen_at=datetime.fromisoformat(row.seen_at),
        )

    async def are_several(self) -> bool:
        """Tell whether anybody but the owner was ever seen."""
        query = select(PEOPLE.c.person).where(PEOPLE.c.is_owner.is_(False)).limit(1)
        return await self._engines.lookups.run(lambda at: at.execute(query).first()) is not None

    async def note(self, person: str, groups: tuple[str, ...] = (), *, is_owner: bool) -> None:
        """Note that a person was seen, with these groups."""
        row = {
            "person": person,
            "groups": json.dumps(groups),
            "is_owner": is_owner,
            "seen_at": datetime.now(UTC).isoformat(timespec="milliseconds"),
        }

        def change(connection: Connection) -> None:
            connection.execute(PEOPLE.delete().where(PEOPLE.c.person == person))
            connection.execute(PEOPLE.insert().values(row))

        await self._engines.write.run(change)
