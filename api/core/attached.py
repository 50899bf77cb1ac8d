"""Whether whoever attaches a file may read it: a reference alone is no right to a text."""

from collections import OrderedDict
from collections.abc import Iterable
from typing import Annotated

from fastapi import Depends

from api.core.dependencies import ThreadLists, from_app
from api.core.permissions import PermitsDep
from domain.core.attachments import Attachment
from domain.core.errors import NotFoundError
from domain.people.roles import EVERY_PROJECT

LIMIT = 10_000


class Uploads:
    """Who has uploaded which files lately."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], None] = OrderedDict()

    def note(self, person: str, reference: str) -> None:
        """Remember that a person has a file."""
        self._known.pop((person, reference), None)
        self._known[person, reference] = None
        if len(self._known) > LIMIT:
            self._known.popitem(last=False)

    def has(self, person: str, reference: str) -> bool:
        """Tell whether a person is known to have it."""
        return (person, reference) in self._known


class Attached:
    """Knows what a caller may attach: what they uploaded, and what a project of theirs names."""

    def __init__(
        self,
        journal: ThreadLists,
        permits: PermitsDep,
        uploads: Annotated[Uploads, from_app("uploads")],
    ) -> None:
        self._journal = journal
        self._permits = permits
        self._uploads = uploads

    def note(self, reference: str) -> None:
        """Remember that the caller has uploaded a file."""
        self._uploads.note(self._permits.access.caller.signature, reference)

    async def seen(self, attachments: Iterable[Attachment]) -> tuple[Attachment, ...]:
        """Return attachments if the caller may read all of them.

        Raises:
            NotFoundError: One is a text of projects that they do not see.
        """
        found = tuple(attachments)
        if not self._permits.sees(EVERY_PROJECT):
            for each in found:
                if not await self._is_seen(each.content_ref):
                    raise NotFoundError(f"no file {each.name!r} is kept for you: upload it")
        return found

    async def _is_seen(self, reference: str) -> bool:
        if self._uploads.has(self._permits.access.caller.signature, reference):
            return True
        # what no event names was uploaded and never sent, perhaps before this process began
        named = await self._journal.people.texts.naming(reference)
        return not named or any([await self._permits.sees_stream(stream) for stream in named])


AttachedDep = Annotated[Attached, Depends()]
