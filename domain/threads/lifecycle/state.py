"""What is known of a thread as a thing that people name, put away, and keep the results of."""

from domain.core.ids import SessionId
from domain.core.wire import Wire


class SessionMerge(Wire):
    """A request to put a session's newest changes on the thread's branch."""

    session_id: SessionId
    number: int


class Document(Wire):
    """The file of a plan: what it says, and what is being written; `path` is in the repository."""

    written: str = ""
    writing: str | None = None
    path: str = ""
    problem: str = ""


class Lifecycle(Wire):
    """The topic that a person gave, and what is kept of the thread's work."""

    topic: str = ""
    is_archived: bool = False
    merges: tuple[SessionMerge, ...] = ()
    merge_count: int = 0
    documents: dict[str, Document] = {}
    is_deletion_requested: bool = False
    is_deletion_forced: bool = False
