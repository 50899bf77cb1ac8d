"""The people of a server, as its API publishes them, in the journal's table `meta`."""

from pydantic import ValidationError
from sqlalchemy import Connection, select

from adapters.journal.engines import Engines
from adapters.journal.known_keys import META, PEOPLE
from domain.people.published import PublishedPeople


class PublishedTable:
    """One row; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def read(self) -> PublishedPeople | None:
        """Return what was published; None where no API has published anything.

        What a newer version published, and this one cannot read, is a problem and gives nobody a role.
        """
        query = select(META.c.value).where(META.c.name == PEOPLE)
        kept = await self._engines.lookups.run(lambda at: at.scalar(query))
        if kept is None:
            return None
        try:
            return PublishedPeople.model_validate_json(kept)
        except ValidationError:
            words = "the people that the journal names cannot be read here: upgrade this host"
            return PublishedPeople(problem=words)

    async def publish(self, people: PublishedPeople) -> None:
        """Replace what was published."""
        value = people.model_dump_json()

        def change(connection: Connection) -> None:
            connection.execute(META.delete().where(META.c.name == PEOPLE))
            connection.execute(META.insert().values(name=PEOPLE, value=value))

        await self._engines.write.run(change)
