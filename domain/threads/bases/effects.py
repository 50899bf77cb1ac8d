"""What a thread must have under way for its base, and what it is told of it."""

from domain.core.wire import Wire
from domain.threads.bases.calls import BaseAnswer
from domain.threads.effects import ThreadEffect


class TakeBase(ThreadEffect):
    """Fetch the base, and take it into the thread's branch."""

    kind = "base"

    due: str

    @property
    def name(self) -> str:
        """What it is due for."""
        return self.due


class EndBase(Wire):
    """What became of the base, or why that is not known."""

    due: str
    answer: BaseAnswer | None = None
    failure: str = ""


class NoteBehind(Wire):
    """The forge says that what was pushed as `commit` is behind its base, or conflicts with it.

    Sent by the workflow that watches the pull request, in the signal `note_behind`.
    """

    commit: str
    base_commit: str = ""
