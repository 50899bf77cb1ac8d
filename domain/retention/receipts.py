"""Prunes as people read them, made of the events that stay."""

from collections.abc import Iterable
from datetime import datetime

from domain.core.event import Event
from domain.core.wire import Wire
from domain.retention.events import PruneEnded, PruneSkipped, PruneStarted, ThreadPruned
from domain.retention.policy import PrunePolicy


class PruneReceipt(Wire):
    """A prune: who asked for it, what it removed and what it kept; `ended_at` is missing while it runs."""

    prune_id: str
    by: str = ""
    policy: PrunePolicy
    threads: int = 0
    started_at: datetime
    ended_at: datetime | None = None
    pruned: tuple[ThreadPruned, ...] = ()
    skipped: tuple[PruneSkipped, ...] = ()


def receipts_of(events: Iterable[Event]) -> list[PruneReceipt]:
    """Return the prunes that events of the stream of receipts tell, the newest first."""
    found: dict[str, PruneReceipt] = {}
    for event in events:
        match event.body:
            case PruneStarted(prune_id=name) as body:
                found[name] = PruneReceipt(
                    prune_id=name,
                    by=body.by,
                    policy=body.policy,
                    threads=body.threads,
                    started_at=event.at,
                )
            case ThreadPruned(prune_id=name) as body if name in found:
                pruned = (*found[name].pruned, body)
                found[name] = found[name].model_copy(update={"pruned": pruned})
            case PruneSkipped(prune_id=name) as body if name in found:
                skipped = (*found[name].skipped, body)
                found[name] = found[name].model_copy(update={"skipped": skipped})
            case PruneEnded(prune_id=name) if name in found:
                found[name] = found[name].model_copy(update={"ended_at": event.at})
            case _:
                pass
    return [*reversed(found.values())]
