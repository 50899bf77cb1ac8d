"""Webhooks as an admin sees them: the senders, what came from each, and a delivery to try one."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.core.bodies import CommandBody
from api.core.dependencies import SettingsDep, ThreadLists
from api.core.permissions import OF_WEBHOOKS
from api.webhooks.trial import Trial, try_sender
from domain.core.errors import ConflictError, NotFoundError
from domain.forges.received import Delivery, RefusedDeliveries, TakenDeliveries, refused_since

router = APIRouter(tags=["webhooks"], prefix="/webhooks", dependencies=[OF_WEBHOOKS])

SHOWN = 100


class ShownSender(BaseModel):
    """A sender, without its secret."""

    name: str
    kind: str
    path: str
    events: tuple[str, ...]
    template: str | None


class Webhooks(BaseModel):
    """Where webhooks come in, from whom, and what came last."""

    listen: str | None
    senders: list[ShownSender]
    deliveries: tuple[Delivery, ...]
    taken: tuple[TakenDeliveries, ...]
    refused: tuple[RefusedDeliveries, ...]
    refused_since: tuple[RefusedDeliveries, ...]
    """Senders whose last delivery was refused, and why."""


@router.get("")
async def webhooks(settings: SettingsDep, journal: ThreadLists) -> Webhooks:
    """List senders, the newest deliveries, and how many were refused why."""
    table, kept = settings.webhooks, journal.webhook_deliveries
    taken, refused = await kept.taken(), await kept.refused()
    return Webhooks(
        listen=table.listen,
        senders=[
            ShownSender(
                name=sender.name,
                kind=sender.kind,
                path=f"/hooks/{sender.name}",
                events=sender.events,
                template=sender.template,
            )
            for sender in table.senders
        ],
        deliveries=await kept.newest(SHOWN),
        taken=taken,
        refused=refused,
        refused_since=refused_since(taken, refused),
    )


@router.post("/{name}/test")
async def test_webhook(
    name: Annotated[str, Path(max_length=100)], body: CommandBody, settings: SettingsDep
) -> Trial:
    """Send a signed ping through the listener, as the sender would, and one with a wrong signature."""
    del body
    table = settings.webhooks
    sender = next((each for each in table.senders if each.name == name), None)
    if sender is None:
        known = ", ".join(each.name for each in table.senders) or "none"
        raise NotFoundError(f"there is no webhook {name!r}; there are: {known}")
    if not table.is_on:
        raise ConflictError("webhooks are off: set TREADLE_WEBHOOKS_LISTEN and restart the engine")
    return await try_sender(sender, table.address)
