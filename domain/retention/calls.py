"""What a prune starts with, and what its activities take and answer."""

from datetime import datetime

from domain.core.effects import Effect
from domain.core.ids import StreamId, ThreadId
from domain.core.wire import Wire
from domain.retention.policy import PrunableThread, PrunePolicy
from domain.threads.lifecycle.calls import RemovalCall

RETENTION = StreamId("retention")
"""The stream of receipts."""


class PruneInput(Wire):
    """The threads that one prune removes, and for whom; `batch` counts its runs.

    `pruned` and `skipped` are what the runs before it did.
    """

    prune_id: str
    policy: PrunePolicy
    threads: tuple[PrunableThread, ...] = ()
    by: str = ""
    batch: int = 0
    pruned: int = 0
    skipped: int = 0


class SurveyCall(Effect):
    """Look at a thread again, right before it is removed; it must not have changed since `before`."""

    thread: PrunableThread
    before: datetime

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"survey {self.thread.thread_id}"


class Survey(Wire):
    """What a thread holds; `problem` is why it stays.

    `workflows` are the ids of its histories. One that was terminated has a `removal` on a `host`; all
    others remove themselves.
    """

    problem: str = ""
    opened_at: datetime | None = None
    events: int = 0
    tasks: int = 0
    sessions: int = 0
    workflows: tuple[str, ...] = ()
    host: str = ""
    removal: RemovalCall | None = None


class DeleteCall(Effect):
    """Have a thread remove itself, and wait until it is gone.

    `archived` is the position of the newest event in its archive, `recorded` the number of the thread's
    own events there: with a newer one it stays.
    """

    thread_id: ThreadId
    command_id: str
    by: str = ""
    archived: int = 0
    recorded: int = 0

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"delete {self.thread_id}"


class DeletionOutcome(Wire):
    """How a thread was removed, or the `problem` that keeps it."""

    message: str = ""
    problem: str = ""


class EraseCall(Effect):
    """Remove the histories of a thread that is gone from Temporal."""

    thread_id: ThreadId
    workflows: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"erase the histories of {self.thread_id}"


class ErasureResult(Wire):
    """How many runs were removed from Temporal."""

    histories: int = 0
