"""What a thread must have under way to merge its branch, and what it is told of it."""

from domain.core.wire import Wire
from domain.threads.effects import ThreadEffect


class LandBranch(ThreadEffect):
    """Merge the thread's branch into its target."""

    kind = "land"

    number: int

    @property
    def name(self) -> str:
        """How often it was asked for."""
        return str(self.number)


class EndLanding(Wire):
    """What the merge gave: where the target is now, or why nothing was changed."""

    number: int
    merge_commit: str = ""
    failure: str = ""
