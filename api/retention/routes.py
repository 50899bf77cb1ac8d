"""Prunes: what one would remove, start it, and the receipts of all."""

import hashlib
import uuid
from datetime import UTC, datetime

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.commands import CommandRoute, add_commands
from api.core.dependencies import (
    JournalDep,
    Person,
    SettingsDep,
    ThreadLists,
    WorkflowsDep,
    thread_id,
)
from api.core.permissions import OF_THREAD, PRUNES
from api.retention.bodies import PolicyBody, PruneBody
from domain.core.errors import NotFoundError, StaleError
from domain.core.event import Event
from domain.core.lifecycle.commands import Pin, Unpin
from domain.core.ports import Journal
from domain.retention.calls import RETENTION, PruneInput
from domain.retention.policy import PruneSelection
from domain.retention.receipts import PruneReceipt, receipts_of

router = APIRouter(tags=["retention"])
_BATCH = 500

add_commands(
    router,
    thread_id,
    *(
        CommandRoute(f"/threads/{{thread}}/{kind.door}", kind, words, dependencies=(OF_THREAD,))
        for kind, words in (
            (Pin, "Pin a thread: no prune removes it."),
            (Unpin, "Unpin a thread."),
        )
    ),
)


class StartedPrune(BaseModel):
    """The id of a prune, which is also its workflow id."""

    prune_id: str
    threads: int


class PrunePage(BaseModel):
    """All prunes, the newest first."""

    prunes: list[PruneReceipt]


@router.post("/prunes/preview", dependencies=[PRUNES])
async def preview_prune(
    body: PolicyBody, journal: ThreadLists, settings: SettingsDep
) -> PruneSelection:
    """Get what a prune would remove now, and what it would keep; nothing is changed."""
    return await journal.retained.selection(body.policy(settings.archive), datetime.now(UTC))


@router.post("/prunes", status_code=202, dependencies=[PRUNES])
async def start_prune(
    body: PruneBody,
    journal: ThreadLists,
    workflows: WorkflowsDep,
    person: Person,
    settings: SettingsDep,
) -> StartedPrune:
    """Remove threads that ended for good, with transcripts, worktrees, branches and histories.

    With an `archive` each is written to a file there first, which is read back and compared.

    Refused if what would go is no longer what the preview with this `content_hash` showed. Threads
    that are pinned or at work by then are skipped.
    """
    key = (
        hashlib.sha256(body.command_id.encode()).hexdigest()
        if body.command_id
        else uuid.uuid4().hex
    )
    prune_id = f"prune-{key[:16]}"
    policy = body.policy(settings.archive)
    found = await journal.retained.selection(policy, datetime.now(UTC))
    if found.content_hash != body.content_hash:
        raise StaleError("what would be removed has changed since the preview: look at it again")
    prune = PruneInput(prune_id=prune_id, policy=policy, threads=found.chosen, by=person)
    await workflows.start_prune(prune)
    return StartedPrune(prune_id=prune_id, threads=len(found.chosen))


@router.get("/prunes", dependencies=[PRUNES])
async def prunes(journal: JournalDep) -> PrunePage:
    """List all prunes with the receipts of what they removed, the newest first."""
    return PrunePage(prunes=receipts_of(await _events(journal)))


@router.get("/prunes/{prune_id}", dependencies=[PRUNES])
async def prune(prune_id: str, journal: JournalDep) -> PruneReceipt:
    """Get a prune: what it removed so far, and what it kept."""
    for receipt in receipts_of(await _events(journal)):
        if receipt.prune_id == prune_id:
            return receipt
    raise NotFoundError(f"prune {prune_id!r} not found, or has not started yet")


async def _events(journal: Journal) -> list[Event]:
    events, after = list[Event](), 0
    while page := await journal.read(RETENTION, after=after, limit=_BATCH):
        after = page[-1].position
        events += (journaled.event for journaled in page)
    return events
