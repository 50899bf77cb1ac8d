"""What a tracker must have under way; workflows/tracker.py carries it out."""

from typing import ClassVar

from domain.core.wire import Wire


class WatchTracker(Wire):
    """Look at the tracker at intervals, and follow the issues that were taken."""

    is_resumable: ClassVar[bool] = True
    is_brief: ClassVar[bool] = False

    @property
    def key(self) -> str:
        """There is one."""
        return "watch"
