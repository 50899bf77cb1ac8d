"""Whose news are whose: what waits for the people of a channel, by their roles as they are now."""

from collections.abc import Sequence
from datetime import datetime

from adapters.journal.people_tables import PeopleTables
from adapters.readings.inboxes import Inboxes
from domain.people.access import Access, Caller, People, PeopleFileError
from domain.people.directory import Directory
from domain.people.roles import EVERY_PROJECT
from domain.reading.inbox.item import InboxItem
from domain.reading.inbox.own import is_of
from domain.reading.inbox.snoozes import version_of


class Audience:
    """Looks at the directory as it is at each look."""

    def __init__(self, people: People, tables: PeopleTables, inboxes: Inboxes) -> None:
        self._people = people
        self._tables = tables
        self._inboxes = inboxes

    async def items_for(
        self, people: Sequence[str], items: Sequence[InboxItem]
    ) -> tuple[InboxItem, ...]:
        """Return what waits for any of some people, with where they are mentioned; for nobody named, everything.

        While people.toml is wrong nothing is anybody's but the owner's. On a server with one person all is theirs.
        """
        if not people:
            return tuple(items)
        try:
            directory = await self._directory()
        except PeopleFileError:
            directory = Directory()
        if directory is None:
            return tuple(items)
        found: dict[str, InboxItem] = {}
        for person in people:
            found |= {item.item_id: item for item in await self._of(person, directory, items)}
        return tuple(sorted(found.values(), key=lambda item: (item.since, item.item_id)))

    async def snoozed_for(
        self, people: Sequence[str], items: Sequence[InboxItem]
    ) -> dict[str, datetime]:
        """Return until when items are, or were, snoozed by all of some people; by the one person where there is one.

        A channel of a team that is for nobody in particular shows what any of them has snoozed.
        """
        if not people and await self._has_people():
            return {}
        snoozes = await self._tables.snoozes.of(*people)
        found: dict[str, datetime] = {}
        for item in items:
            version = version_of(item)
            own = [s for s in snoozes if s.item_id == item.item_id and s.version == version]
            if own and len(own) >= len(people):
                found[item.item_id] = min(each.until for each in own)
        return found

    async def _has_people(self) -> bool:
        try:
            return await self._directory() is not None
        except PeopleFileError:
            return True

    async def _of(
        self, person: str, directory: Directory, items: Sequence[InboxItem]
    ) -> Sequence[InboxItem]:
        known = await self._tables.seen.of(person)
        caller = Caller(
            person=person,
            groups=known.groups if known else (),
            is_owner=known.is_owner if known else False,
        )
        access = Access(caller=caller, directory=directory)

        def sees(project: str) -> bool:
            return access.sees(project or EVERY_PROJECT)

        own = [each for each in items if sees(each.project) and is_of(each, person, access.role_in)]
        return [*own, *await self._inboxes.mentions(person, sees)]

    async def _directory(self) -> Directory | None:
        published = await self._tables.published.read()
        if published is not None and published.problem:
            raise PeopleFileError(published.problem)
        return published.directory if published else self._people.read()
