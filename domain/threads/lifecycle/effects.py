"""What a thread must have under way to write its plan's file, and to go."""

from domain.core.wire import Wire
from domain.threads.effects import ThreadEffect


class WriteDocument(ThreadEffect):
    """Write the file of a plan."""

    kind = "write-document"

    plan_id: str
    mark: str
    is_over: bool

    @property
    def name(self) -> str:
        """The plan, and what its file shall say."""
        return f"{self.plan_id}:{self.mark}"


class RemoveThread(ThreadEffect):
    """Remove everything that the thread holds, its events last."""

    kind = "remove"
    is_resumable = True

    is_forced: bool

    @property
    def name(self) -> str:
        """There is one."""
        return "all"


class EndDocument(Wire):
    """A plan's file was written, or why not."""

    plan_id: str
    mark: str
    path: str = ""
    problem: str = ""
