"""The API publishes its people.toml in the journal, where the workers of all hosts read it."""

import asyncio
import logging
import platform
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import Request

from adapters.files.people_file import PeopleFile
from adapters.journal import SqlJournal
from api.core.dependencies import from_app
from api.core.incoming import SAFE
from domain.core.errors import JournalError
from domain.people.access import PeopleFileError
from domain.people.published import PublishedPeople

POLL_SECONDS = 2.0
"""How soon a change of the file reaches workers where nobody uses the API meanwhile."""

_LOG = logging.getLogger("treadle.api")


class PeoplePublishing:
    """Publishes the file as it is now, whenever it has changed."""

    def __init__(self, people: PeopleFile, journal: SqlJournal, place: str = "") -> None:
        self._people = people
        self._journal = journal
        self._place = place or f"{platform.node()}:{people.path}"
        self._last: PublishedPeople | None = None
        self._lock = asyncio.Lock()

    async def publish(self) -> None:
        """Publish what has changed; durable on return.

        A file that is not there is published as such only by the machine that had published it, and by the
        API of the one host that there is: elsewhere it was never meant to be.
        """
        async with self._lock:
            found = self._found()
            if found == self._last:
                return
            if found.directory is not None or found.problem or await self._may_withdraw():
                await self._journal.people.published.publish(found)
            self._last = found

    def _found(self) -> PublishedPeople:
        try:
            return PublishedPeople(place=self._place, directory=self._people.read())
        except PeopleFileError as error:
            return PublishedPeople(place=self._place, problem=error.message)

    async def _may_withdraw(self) -> bool:
        known = await self._journal.people.published.read()
        if known is None:
            return len(await self._journal.hosts.every()) <= 1
        return known.may_be_withdrawn_from(self._place)


async def publish_first(
    request: Request, publishing: Annotated[PeoplePublishing, from_app("publishing")]
) -> None:
    """Publish a change of the file before anything is done by it, as the worker checks again who may."""
    if request.method not in SAFE:
        await publishing.publish()


@asynccontextmanager
async def published(people: PeopleFile, journal: SqlJournal) -> AsyncGenerator[PeoplePublishing]:
    """Publish the file while the API runs."""
    publishing = PeoplePublishing(people, journal)
    await publishing.publish()

    async def keep_publishing() -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await publishing.publish()
            except JournalError:
                _LOG.warning("people.toml is not published: the journal does not answer")

    task = asyncio.create_task(keep_publishing(), name="publishing of people.toml")
    try:
        yield publishing
    finally:
        task.cancel()
