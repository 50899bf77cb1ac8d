"""Who else looks at a thread now."""

from fastapi import APIRouter, Request
from pydantic import BaseModel

from api.core.bodies import CommandBody
from api.core.dependencies import KnownThread, Person
from api.core.permissions import SEES_THREAD
from api.core.viewers import Viewers
from domain.people.directory import Directory

router = APIRouter(tags=["threads"], prefix="/viewers/{thread}", dependencies=[SEES_THREAD])


class Viewer(BaseModel):
    """Somebody who looks at a thread."""

    person: str
    name: str
    """As people.toml writes it."""


class OtherViewers(BaseModel):
    """Who looks at a thread, without whoever asks."""

    viewers: list[Viewer]


@router.post("")
async def look(
    thread: KnownThread,
    body: CommandBody,  # noqa: ARG001 - looking twice is looking, so its id is not needed
    person: Person,
    request: Request,
) -> OtherViewers:
    """Note that you look at a thread, for the next 40 seconds; get who else does.

    Each process of the API knows those who asked it.
    """
    viewers: Viewers = request.app.state.viewers
    others = viewers.look(thread, person)
    directory: Directory | None = request.app.state.people.read()
    names = {who: user.name for who, user in directory.users.items()} if directory else {}
    return OtherViewers(
        viewers=[Viewer(person=other, name=names.get(other) or other) for other in others]
    )
