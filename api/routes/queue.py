"""The queue: what waits for its place, and how much may run (features.md B17)."""

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel

from adapters.files.template_scopes import top_of
from api.bodies import CommandBody
from api.dependencies import DoorDep, KeyDep, Person, SettingsDep
from api.flow_door import FlowRunsDep
from api.new_threads import NewThreadsDep
from api.queue_bodies import (
    HoldBody,
    LimitsBody,
    MoveBody,
    QueueBody,
    ReleaseBody,
    Waiting,
    WaitingFlow,
)
from api.queue_lines import with_queue_lines
from api.queueing import Item, QueueFoldsDep, QueueingDep, id_of
from domain.commands import Answer, HoldEntry, MoveEntry, ReleaseEntry, RemoveEntry, SetLimits
from domain.errors import InvalidError, RepositoryError
from domain.flows.inputs import FlowInput
from domain.queue.views import QueueView
from domain.threads.inputs import ThreadInput

router = APIRouter(tags=["queue"], prefix="/queue")

Entry = Annotated[
    str, Path(max_length=300, description="Its id, which its thread or run will have")
]


class Enqueued(BaseModel):
    """The ids of what waits now, in the order of the request."""

    entries: list[str]


class Preparing:
    """Makes of the items of a request what is started with them later."""

    def __init__(self, threads: NewThreadsDep, flows: FlowRunsDep) -> None:
        self._threads = threads
        self._flows = flows

    async def items(self, body: QueueBody) -> list[Item]:
        """Return the items; the names that they have in the request become their ids.

        Raises:
            TreadleError: One cannot be used; nothing waits then.
        """
        begun: list[ThreadInput | FlowInput] = []
        for number, item in enumerate(body.items):
            each = await self._begun(item, body.command_id, number)
            while isinstance(each, FlowInput) and id_of(each) in map(id_of, begun):
                each = each.numbered(each.number + 1)
            begun.append(each)
        ids = _ids_of(body.items, begun)
        return [
            Item(each, item.priority, tuple(ids.get(name, name) for name in item.after))
            for each, item in zip(begun, body.items, strict=True)
        ]

    async def _begun(self, item: Waiting, command_id: str, number: int) -> ThreadInput | FlowInput:
        if isinstance(item, WaitingFlow):
            if item.conversation_id is not None:
                raise InvalidError("only a new run waits in the queue: resume that one")
            return await self._flows.prepared(item.flow, item)
        if not item.is_planned:
            raise InvalidError("only planned work waits in the queue: a chat has no end, open it")
        if not (top_of(item.repository) / ".git").exists():
            raise RepositoryError(
                f"{item.repository[:80]!r} is in no git repository: `git init` it and commit, or name "
                "another"
            )
        seeded = item.model_copy(update={"command_id": command_id or item.command_id})
        return self._threads.prepared(seeded, number)


def _ids_of(items: Sequence[Waiting], begun: Sequence[ThreadInput | FlowInput]) -> dict[str, str]:
    """Return the ids by the names that a request gives.

    Raises:
        InvalidError: Two items have one name.
    """
    ids: dict[str, str] = {}
    for item, each in zip(items, begun, strict=True):
        if item.name is None:
            continue
        if item.name in ids:
            raise InvalidError(f"two items have the name {item.name!r}: give each its own")
        ids[item.name] = id_of(each)
    return ids


@router.get("")
async def queue(
    folds: QueueFoldsDep, door: DoorDep, key: KeyDep, settings: SettingsDep
) -> QueueView:
    """Show what was started and goes on, what waits in its order and why, and what is over."""
    view = await folds.view()
    if not view.position:  # never used: its limits will be those of the settings
        view = view.model_copy(update={"limits": settings.queue})
    return with_queue_lines(view, key, door.address)


@router.post("", status_code=202)
async def enqueue(
    body: QueueBody, preparing: Annotated[Preparing, Depends()], queueing: QueueingDep
) -> Enqueued:
    """Put goals and runs of flows into the queue, all or none."""
    entries = await queueing.enqueue(await preparing.items(body), body.command_id)
    return Enqueued(entries=[entry.entry_id for entry in entries])


@router.post("/limits")
async def set_limits(
    body: LimitsBody, folds: QueueFoldsDep, queueing: QueueingDep, person: Person
) -> Answer:
    """Say how much may run at the same time; what runs goes on."""
    limits = body.over((await folds.view()).limits)
    return await queueing.tell(SetLimits(command_id=body.command_id, by=person, limits=limits))


@router.post("/hold")
async def hold_queue(body: HoldBody, queueing: QueueingDep, person: Person) -> Answer:
    """Start nothing more until the queue is released; what runs goes on."""
    held = HoldEntry(command_id=body.command_id, by=person, reason=body.reason)
    return await queueing.tell(held)


@router.post("/release")
async def release_queue(body: CommandBody, queueing: QueueingDep, person: Person) -> Answer:
    """Let the queue and all its entries start again."""
    return await queueing.tell(ReleaseEntry(command_id=body.command_id, by=person))


@router.post("/{entry}/hold")
async def hold(entry: Entry, body: HoldBody, queueing: QueueingDep, person: Person) -> Answer:
    """Do not start an entry until it is released."""
    held = HoldEntry(command_id=body.command_id, by=person, entry_id=entry, reason=body.reason)
    return await queueing.tell(held)


@router.post("/{entry}/release")
async def release(entry: Entry, body: ReleaseBody, queueing: QueueingDep, person: Person) -> Answer:
    """Let an entry start: one that is held, refused, or blocked and released anyway."""
    released = ReleaseEntry(
        command_id=body.command_id, by=person, entry_id=entry, is_anyway=body.is_anyway
    )
    return await queueing.tell(released)


@router.post("/{entry}/move")
async def move(entry: Entry, body: MoveBody, queueing: QueueingDep, person: Person) -> Answer:
    """Put an entry in front of another, to a priority, or to the very front."""
    moved = MoveEntry(
        command_id=body.command_id,
        by=person,
        entry_id=entry,
        before=body.before,
        priority=body.priority,
    )
    return await queueing.tell(moved)


@router.post("/{entry}/remove")
async def remove(entry: Entry, body: CommandBody, queueing: QueueingDep, person: Person) -> Answer:
    """Take an entry out; one that was started goes on without the queue."""
    removed = RemoveEntry(command_id=body.command_id, by=person, entry_id=entry)
    return await queueing.tell(removed)
