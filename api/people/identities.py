"""Names of people, and the accounts of the identity provider that they belong to."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.core.bodies import CommandBody
from api.core.dependencies import ThreadLists
from api.core.permissions import OF_SERVER
from domain.core.errors import NotFoundError
from domain.people.directory import PERSON

router = APIRouter(tags=["people"], dependencies=[OF_SERVER])

Person = Annotated[str, Path(pattern=PERSON, max_length=100)]


class Forgotten(BaseModel):
    """A name that is free for another account; its browsers are signed out, and its tokens revoked."""

    person: str


@router.post("/people/{person}/forget")
async def forget(person: Person, _body: CommandBody, journal: ThreadLists) -> Forgotten:
    """Free a name for another account of the identity provider, and end its sessions and tokens."""
    if not await journal.people.revocation.forget(person, datetime.now(UTC)):
        raise NotFoundError(f"nobody has signed in as {person!r}")
    return Forgotten(person=person)
