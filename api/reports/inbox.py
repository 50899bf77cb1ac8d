"""The inbox: everything that is waiting for a person, of all projects."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Response

from adapters.readings.inboxes import Inboxes
from api.core.dependencies import Person, ThreadLists, from_app
from api.core.permissions import OF_PROJECTS, Permits, PermitsDep
from domain.reading.inbox.item import Inbox, InboxItem
from domain.reading.inbox.own import marked
from domain.reading.inbox.snoozes import with_snoozes

InboxesDep = Annotated[Inboxes, from_app("inboxes")]

router = APIRouter(tags=["inbox"], prefix="/inbox", dependencies=[OF_PROJECTS])


@router.get("", response_model=Inbox)
async def inbox(
    inboxes: InboxesDep,
    permits: PermitsDep,
    person: Person,
    journal: ThreadLists,
    *,
    mine: bool = False,
) -> Response:
    """List everything that is waiting for a person, oldest first.

    What `is_mine` is for you: your role lets you decide it, it is not one that somebody else must approve, it is
    assigned to you or to nobody, and you have not snoozed it. Where you are mentioned is in your inbox alone. With
    `mine` only that is listed. Where there is one person, everything is theirs that is not snoozed.
    """
    position = await journal.position()
    items = with_snoozes(
        await items_of(inboxes, permits, person),
        await journal.people.snoozes.of(person),
        datetime.now(UTC),
    )
    if mine:
        items = tuple(item for item in items if item.is_mine)
    # each was checked when it was made: thousands of them are not checked again
    found = Inbox.model_construct(items=items, position=position)
    return Response(found.model_dump_json(), media_type="application/json")


async def items_of(inboxes: Inboxes, permits: Permits, person: str) -> tuple[InboxItem, ...]:
    """Return everything that is waiting now in projects that a person sees, and where they are mentioned."""
    items = (await inboxes.newest(await permits.visible())).items
    if not permits.access.is_unlimited:
        items = tuple(item for item in items if item.host or permits.sees(item.project))
    if permits.has_people:
        items = marked(items, person, permits.access.role_in)
        own = await inboxes.mentions(person, permits.sees)
        items = tuple(sorted((*items, *own), key=lambda item: (item.since, item.item_id)))
    return items
