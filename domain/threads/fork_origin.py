"""Where a fork, and a run that goes on from a checkpoint, come from."""

from domain.core.ids import ThreadId
from domain.core.wire import Wire


class ForkOrigin(Wire):
    """The moment of another thread that a thread begins at: its position, and the checkpoint's commit."""

    thread_id: ThreadId
    position: int
    commit: str = ""


class Beginning(Wire):
    """The checkpoint whose files a run of a task begins with, by its commit and its event's position."""

    run: int
    commit: str
    position: int = 0
