"""The queue: waiting work, and how much runs at once."""

from typing import Annotated

from fastapi import APIRouter, Path

from adapters.journal.ledger import JournalLedger
from api.core.bodies import CommandBody
from api.core.dependencies import LedgerDep, QueueProjectionsDep, SettingsDep
from api.core.permissions import OF_ENTRY, OF_SERVER, PermitsDep
from api.core.queue_client import QueueClientDep
from api.core.signal_lines import LinesDep
from api.queue.bodies import HoldBody, LimitsBody, MoveBody, ReleaseBody
from api.queue.signal_lines import with_queue_lines
from domain.core.command import Answer
from domain.core.money import Money
from domain.queue.commands import HoldEntry, MoveEntry, ReleaseEntry, RemoveEntry, SetLimits
from domain.reading.queue import EntryView, QueueView

router = APIRouter(tags=["queue"], prefix="/queue", dependencies=[OF_ENTRY])

Entry = Annotated[
    str, Path(max_length=300, description="Entry id; its thread or flow run has the same id")
]


@router.get("")
async def queue(
    folds: QueueProjectionsDep,
    settings: SettingsDep,
    lines: LinesDep,
    permits: PermitsDep,
    ledger: LedgerDep,
) -> QueueView:
    """Get the queue: running, waiting and recently finished entries."""
    view = await _with_money(await folds.view(), ledger)
    if not view.position:  # never used: its limits are those of the settings
        view = view.model_copy(update={"limits": settings.queue})
    if permits.access.is_unlimited:
        return with_queue_lines(view, lines)
    shown = {
        name: tuple(e for e in getattr(view, name) if permits.sees(e.entry.project))
        for name in ("entries", "over")
    }
    return with_queue_lines(view.model_copy(update=shown), lines)


async def _with_money(view: QueueView, ledger: JournalLedger) -> QueueView:
    """Return the queue with what its entries cost."""
    every = (*view.entries, *view.over)
    money = await ledger.threads([each.entry.entry_id for each in every])

    def priced(shown: EntryView) -> EntryView:
        return shown.model_copy(update={"money": money.get(shown.entry.entry_id, Money())})

    return view.model_copy(
        update={
            "entries": tuple(map(priced, view.entries)),
            "over": tuple(map(priced, view.over)),
        }
    )


@router.post("/limits", dependencies=[OF_SERVER])
async def set_limits(
    body: LimitsBody, folds: QueueProjectionsDep, queue_client: QueueClientDep
) -> Answer:
    """Set how much may run at once; running work continues."""
    limits = body.over((await folds.view()).limits)
    return await queue_client.send(SetLimits, body, limits=limits)


@router.post("/hold", dependencies=[OF_SERVER])
async def hold_queue(body: HoldBody, queue_client: QueueClientDep) -> Answer:
    """Hold the whole queue until it is released; running work continues."""
    return await queue_client.send(HoldEntry, body)


@router.post("/release", dependencies=[OF_SERVER])
async def release_queue(body: CommandBody, queue_client: QueueClientDep) -> Answer:
    """Release the whole queue and all its entries."""
    return await queue_client.send(ReleaseEntry, body)


@router.post("/{entry}/hold")
async def hold(entry: Entry, body: HoldBody, queue_client: QueueClientDep) -> Answer:
    """Hold an entry until it is released."""
    return await queue_client.send(HoldEntry, body, entry_id=entry)


@router.post("/{entry}/release")
async def release(entry: Entry, body: ReleaseBody, queue_client: QueueClientDep) -> Answer:
    """Release a held, refused or blocked entry."""
    return await queue_client.send(ReleaseEntry, body, entry_id=entry)


@router.post("/{entry}/move")
async def move(entry: Entry, body: MoveBody, queue_client: QueueClientDep) -> Answer:
    """Move an entry before another, to a priority, or by default to the front."""
    return await queue_client.send(MoveEntry, body, entry_id=entry)


@router.post("/{entry}/remove")
async def remove(entry: Entry, body: CommandBody, queue_client: QueueClientDep) -> Answer:
    """Remove an entry; if it has started, it continues outside of the queue."""
    return await queue_client.send(RemoveEntry, body, entry_id=entry)
