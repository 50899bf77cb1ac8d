"""Adding to the queue: what programs do for people, too."""

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.permissions import QUEUES
from api.core.queue_client import QueueClientDep
from api.queue.bodies import QueueBody
from api.queue.items import ItemPreparationDep

router = APIRouter(tags=["queue"], prefix="/queue", dependencies=[QUEUES])


class Enqueued(BaseModel):
    """The ids of the new entries, in the order of the request."""

    entries: list[str]


@router.post("", status_code=202)
async def enqueue(
    body: QueueBody, preparation: ItemPreparationDep, queue_client: QueueClientDep
) -> Enqueued:
    """Add goals and flow runs to the queue, all or none."""
    entries = await queue_client.enqueue(await preparation.items(body), body.command_id)
    return Enqueued(entries=[entry.entry_id for entry in entries])
