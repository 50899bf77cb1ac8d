"""The queue: what waits for its place, and how much may run."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from api.core.bodies import CommandBody
from api.core.dependencies import KeyDep, Person, SettingsDep, WorkflowsDep
from api.core.queue_client import QueueClientDep, QueueProjectionsDep
from api.queue.bodies import HoldBody, LimitsBody, MoveBody, QueueBody, ReleaseBody
from api.queue.items import ItemPreparationDep
from api.queue.signal_lines import with_queue_lines
from domain.core.command import Answer
from domain.queue.commands import HoldEntry, MoveEntry, ReleaseEntry, RemoveEntry, SetLimits
from domain.reading.queue import QueueView

router = APIRouter(tags=["queue"], prefix="/queue")

Entry = Annotated[
    str, Path(max_length=300, description="Its id, which its thread or run will have")
]


class Enqueued(BaseModel):
    """The ids of what waits now, in the order of the request."""

    entries: list[str]


@router.get("")
async def queue(
    folds: QueueProjectionsDep, workflows: WorkflowsDep, key: KeyDep, settings: SettingsDep
) -> QueueView:
    """Show what was started and goes on, what waits in its order and why, and what is over."""
    view = await folds.view()
    if not view.position:  # never used: its limits will be those of the settings
        view = view.model_copy(update={"limits": settings.queue})
    return with_queue_lines(view, key, workflows.address)


@router.post("", status_code=202)
async def enqueue(
    body: QueueBody, preparation: ItemPreparationDep, queue_client: QueueClientDep
) -> Enqueued:
    """Put goals and runs of flows into the queue, all or none."""
    entries = await queue_client.enqueue(await preparation.items(body), body.command_id)
    return Enqueued(entries=[entry.entry_id for entry in entries])


@router.post("/limits")
async def set_limits(
    body: LimitsBody, folds: QueueProjectionsDep, queue_client: QueueClientDep, person: Person
) -> Answer:
    """Say how much may run at the same time; what runs goes on."""
    limits = body.over((await folds.view()).limits)
    return await queue_client.tell(SetLimits(command_id=body.command_id, by=person, limits=limits))


@router.post("/hold")
async def hold_queue(body: HoldBody, queue_client: QueueClientDep, person: Person) -> Answer:
    """Start nothing more until the queue is released; what runs goes on."""
    held = HoldEntry(command_id=body.command_id, by=person, reason=body.reason)
    return await queue_client.tell(held)


@router.post("/release")
async def release_queue(body: CommandBody, queue_client: QueueClientDep, person: Person) -> Answer:
    """Let the queue and all its entries start again."""
    return await queue_client.tell(ReleaseEntry(command_id=body.command_id, by=person))


@router.post("/{entry}/hold")
async def hold(
    entry: Entry, body: HoldBody, queue_client: QueueClientDep, person: Person
) -> Answer:
    """Do not start an entry until it is released."""
    held = HoldEntry(command_id=body.command_id, by=person, entry_id=entry, reason=body.reason)
    return await queue_client.tell(held)


@router.post("/{entry}/release")
async def release(
    entry: Entry, body: ReleaseBody, queue_client: QueueClientDep, person: Person
) -> Answer:
    """Let an entry start: one that is held, refused, or blocked and released anyway."""
    released = ReleaseEntry(
        command_id=body.command_id, by=person, entry_id=entry, is_anyway=body.is_anyway
    )
    return await queue_client.tell(released)


@router.post("/{entry}/move")
async def move(
    entry: Entry, body: MoveBody, queue_client: QueueClientDep, person: Person
) -> Answer:
    """Put an entry in front of another, to a priority, or to the very front."""
    moved = MoveEntry(
        command_id=body.command_id,
        by=person,
        entry_id=entry,
        before=body.before,
        priority=body.priority,
    )
    return await queue_client.tell(moved)


@router.post("/{entry}/remove")
async def remove(
    entry: Entry, body: CommandBody, queue_client: QueueClientDep, person: Person
) -> Answer:
    """Take an entry out; one that was started goes on without the queue."""
    removed = RemoveEntry(command_id=body.command_id, by=person, entry_id=entry)
    return await queue_client.tell(removed)
