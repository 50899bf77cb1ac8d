"""What the queue must have under way; workflows/queue.py carries it out."""

import hashlib
from typing import ClassVar

from domain.core.wire import Wire
from domain.queue.entry import QueueEntry


class StartEntry(Wire):
    """Start the thread or the flow run of an entry."""

    is_resumable: ClassVar[bool] = False
    is_brief: ClassVar[bool] = True

    entry: QueueEntry

    @property
    def key(self) -> str:
        """What tells it from all others: each attempt is one."""
        return f"start:{self.entry.entry_id}:{self.entry.attempt}"


class FollowOthers(Wire):
    """Follow the status of `own` started entries, of those `needed`, and of all that works besides."""

    is_resumable: ClassVar[bool] = True
    is_brief: ClassVar[bool] = False

    own: tuple[str, ...]
    needed: tuple[str, ...]

    @property
    def key(self) -> str:
        """What tells it from all others: those that are followed."""
        names = "\n".join((*self.own, "", *self.needed))
        return f"follow:{hashlib.sha256(names.encode()).hexdigest()}"


QueueEffect = StartEntry | FollowOthers
