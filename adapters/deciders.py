"""Whether a person may still decide, for the worker: by the people of the server and the journal."""

from adapters.journal.people_tables import PeopleTables
from domain.core.acting import person_behind, program_of
from domain.core.four_eyes import FourEyes
from domain.people.access import People, PeopleFileError
from domain.people.commands import role_for
from domain.people.directory import Directory
from domain.people.roles import Role, lowest

_MISSING = (
    "this host knows of several people and of no people.toml: start the API where the file is, "
    "which publishes it to all hosts, then try again"
)


class JournalDeciders:
    """Looks at the directory as it is now, and at whose project a workflow is.

    The directory is what the API publishes in the journal. Where a host has a file of its own, too, both
    must allow: one of them may be old.
    """

    def __init__(self, people: People, tables: PeopleTables) -> None:
        self._people = people
        self._tables = tables

    async def four_eyes(self, project: str, asked: FourEyes) -> FourEyes:
        """Return how many people a project and a template ask for; one where there is one person only.

        Raises:
            PeopleFileError: people.toml is wrong, or no API has published it where there are several people.
        """
        directories = await self._directories()
        if directories is None and await self._tables.seen.are_several():
            raise PeopleFileError(_MISSING)
        rule = asked if directories else FourEyes()
        for directory in directories or ():
            rule = rule.with_other(directory.four_eyes(project))
        return rule

    async def may_decide(self, person: str, door: str, workflow_id: str) -> bool | None:
        """Tell whether a person has the role that a command needs; None where there is one person only.

        While people.toml is wrong, or neither published nor on this host, only the owner may decide. A program
        that acts for a person may do what programs may, if that person may.
        """
        if program_of(person):
            if not Role.PROPOSER.allows(role_for(door)):
                return False
            return await self.may_decide(person_behind(person), door, workflow_id)
        try:
            directories = await self._directories()
        except PeopleFileError:
            return await self._is_owner(person)
        if not directories:
            return await self._is_owner(person) if await self._tables.seen.are_several() else None
        known = await self._tables.seen.of(person)
        if known is not None and known.is_owner:
            return True
        groups = known.groups if known is not None else ()
        project = await self._tables.projects.of(workflow_id)
        held = lowest(*(_role(each, person, groups, project) for each in directories))
        return held.allows(role_for(door))

    async def _directories(self) -> tuple[Directory, ...] | None:
        """Return those that count: none where an API says so, None where nobody has said anything.

        Raises:
            PeopleFileError: One of them is wrong.
        """
        published = await self._tables.published.read()
        if published is not None and published.problem:
            raise PeopleFileError(published.problem)
        own = self._people.read()
        if published is None and own is None:
            return None
        both = (own, published.directory if published else None)
        return tuple(each for each in both if each is not None)

    async def _is_owner(self, person: str) -> bool:
        known = await self._tables.seen.of(person)
        return known is not None and known.is_owner


def _role(directory: Directory, person: str, groups: tuple[str, ...], project: str | None) -> Role:
    if project is None:
        return directory.highest_role(person, groups)
    return directory.role_in(project, person, groups)
