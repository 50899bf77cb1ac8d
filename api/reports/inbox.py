"""The inbox: everything that is waiting for a person, of all projects."""

from typing import Annotated

from fastapi import APIRouter, Response

from adapters.readings.inboxes import Inboxes
from api.core.dependencies import Person, from_app
from api.core.permissions import OF_PROJECTS, PermitsDep
from domain.reading.inbox.item import Inbox
from domain.reading.inbox.own import marked

InboxesDep = Annotated[Inboxes, from_app("inboxes")]

router = APIRouter(tags=["inbox"], prefix="/inbox", dependencies=[OF_PROJECTS])


@router.get("", response_model=Inbox)
async def inbox(
    inboxes: InboxesDep, permits: PermitsDep, person: Person, *, mine: bool = False
) -> Response:
    """List everything that is waiting for a person, oldest first.

    What `is_mine` is for you: your role lets you decide it, it is not one that somebody else must approve, and it is
    assigned to you or to nobody. Where you are mentioned is in your inbox alone. With `mine` only that is listed. Where there is one person, everything is theirs.
    """
    found = await inboxes.newest(await permits.visible())
    items = found.items
    if not permits.access.is_unlimited:
        items = tuple(item for item in items if item.host or permits.sees(item.project))
    if permits.has_people:
        items = marked(items, person, permits.access.role_in)
        own = await inboxes.mentions(person, permits.sees)
        items = tuple(sorted((*items, *own), key=lambda item: (item.since, item.item_id)))
    if mine:
        items = tuple(item for item in items if item.is_mine)
    found = found.model_copy(update={"items": items})
    return Response(found.model_dump_json(), media_type="application/json")
