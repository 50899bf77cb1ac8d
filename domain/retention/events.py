"""Events of prunes; they are receipts, and stay when the threads are gone."""

from datetime import datetime
from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import ThreadId
from domain.retention.policy import PrunePolicy


class PruneStarted(EventBody):
    """A prune of some threads started; `by` is who asked for it."""

    kind: Literal["prune_started"] = "prune_started"
    prune_id: str
    policy: PrunePolicy
    threads: int
    by: str = ""


class ThreadPruned(EventBody):
    """A thread was removed with all that it held; this is the receipt.

    `histories` are the workflow runs removed from Temporal, `archive` is the file that
    it was written to before, and `archive_sha256` that file's hash.
    """

    kind: Literal["thread_pruned"] = "thread_pruned"
    prune_id: str
    thread_id: ThreadId
    title: str = ""
    project: str = ""
    status: str = ""
    opened_at: datetime | None = None
    changed_at: datetime | None = None
    events: int = 0
    tasks: int = 0
    sessions: int = 0
    histories: int = 0
    outcome: str = ""
    by: str = ""
    archive: str = ""
    archive_sha256: str = ""


class PruneSkipped(EventBody):
    """A thread was left as it is, and why."""

    kind: Literal["prune_skipped"] = "prune_skipped"
    prune_id: str
    thread_id: ThreadId
    reason: str


class PruneEnded(EventBody):
    """A prune has ended."""

    kind: Literal["prune_ended"] = "prune_ended"
    prune_id: str
    pruned: int = 0
    skipped: int = 0
