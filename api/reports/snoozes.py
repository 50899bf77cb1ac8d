"""Snoozes: an item of the inbox is out of a person's sight until a time."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import AwareDatetime, Field

from api.core.bodies import CommandBody
from api.core.dependencies import Person, ThreadLists
from api.core.permissions import SEES_ANY, PermitsDep
from api.reports.inbox import InboxesDep, items_of
from domain.core.command import Answer
from domain.core.errors import InvalidError, NotFoundError
from domain.reading.inbox.item import InboxItem
from domain.reading.inbox.snoozes import LONGEST, Snooze, version_of

router = APIRouter(tags=["inbox"], prefix="/inbox", dependencies=[SEES_ANY])

ItemId = Annotated[str, Path(max_length=400, description="The `item_id` of the inbox.")]


class SnoozeBody(CommandBody):
    """Until when, or for how many minutes: one of them."""

    until: Annotated[AwareDatetime | None, Field(strict=False)] = None
    minutes: Annotated[int, Field(ge=1, le=527_040)] | None = None


@router.post("/{item_id:path}/snooze")
async def snooze(
    item_id: ItemId,
    body: SnoozeBody,
    inboxes: InboxesDep,
    permits: PermitsDep,
    person: Person,
    journal: ThreadLists,
) -> Answer:
    """Snooze an item of your inbox until a time: nobody else's inbox changes, and nothing is decided.

    It comes back earlier if it asks something else by then, such as another plan.
    """
    now = datetime.now(UTC)
    if (body.until is None) == (body.minutes is None):
        raise InvalidError("give `until` or `minutes`, one of them")
    until = body.until or now + timedelta(minutes=body.minutes or 0)
    if not now < until <= now + LONGEST:
        raise InvalidError("`until` must be later than now, by a year at most")
    found = await items_of(inboxes, permits, person)
    item = next((each for each in found if each.item_id == item_id), None)
    version = version_of(_known(item, item_id))
    until = until.astimezone(UTC)
    await journal.people.snoozes.put(
        Snooze(person=person, item_id=item_id, version=version, until=until)
    )
    return Answer(message="snoozed", data={"until": until.isoformat()})


@router.post("/{item_id:path}/unsnooze")
async def unsnooze(
    item_id: ItemId,
    body: CommandBody,  # noqa: ARG001 - ending it twice changes nothing, so its id is not needed
    person: Person,
    journal: ThreadLists,
) -> Answer:
    """End your snooze of an item: it is in your inbox again."""
    was_there = await journal.people.snoozes.end(person, item_id)
    return Answer(message="back in the inbox" if was_there else "it was not snoozed")


def _known(item: InboxItem | None, item_id: str) -> InboxItem:
    if item is None:
        raise NotFoundError(f"{item_id[:120]!r} is not in your inbox: perhaps it was answered")
    return item
