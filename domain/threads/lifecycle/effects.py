"""What a thread must have under way to keep results, write its plan's file, and go."""

from domain.core.ids import SessionId
from domain.core.wire import Wire
from domain.threads.effects import ThreadEffect


class MergeSessionChanges(ThreadEffect):
    """Merge a session's newest changes into the thread's branch."""

    kind = "keep"

    session_id: SessionId
    number: int

    @property
    def name(self) -> str:
        """Which of the thread's requests it is."""
        return str(self.number)


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


class EndSessionMerge(Wire):
    """A session's changes were merged, or why not."""

    session_id: SessionId
    number: int
    commit: str | None = None
    conflicts: tuple[str, ...] = ()
    failure: str = ""


class EndDocument(Wire):
    """A plan's file was written, or why not."""

    plan_id: str
    mark: str
    path: str = ""
    problem: str = ""
