"""What is known of a thread as a thing that people name, put away, and keep the results of."""

from domain.core.ids import SessionId
from domain.core.wire import Wire


class SessionMerge(Wire):
    """A request to put a session's changes on the thread's branch: its newest, or those of a commit."""

    session_id: SessionId
    number: int
    commit: str = ""


class ChatMerge(Wire):
    """How the newest merge of a chat's changes stands; with `conflicts` or a `failure` none was made.

    `number` is that of the request among all of the thread.
    """

    number: int = 0
    is_under_way: bool = False
    commit: str | None = None
    conflicts: tuple[str, ...] = ()
    failure: str = ""
    is_new: bool = True
    """Whether the branch has more by it than before."""

    @property
    def is_refused(self) -> bool:
        """Whether it ended without a merge that was wanted."""
        return not self.is_under_way and bool(self.conflicts or self.failure)


class Document(Wire):
    """The file of a plan: what it says, and what is being written; `path` is in the repository."""

    written: str = ""
    writing: str | None = None
    path: str = ""
    problem: str = ""


class Lifecycle(Wire):
    """The topic that a person gave, and what is kept of the thread's work."""

    topic: str = ""
    assignee: str = ""
    is_archived: bool = False
    is_pinned: bool = False
    merges: tuple[SessionMerge, ...] = ()
    merge_count: int = 0
    merged: dict[SessionId, ChatMerge] = {}
    documents: dict[str, Document] = {}
    is_deletion_requested: bool = False
    is_deletion_forced: bool = False
    is_terminated: bool = False

    def merging(self, session_id: SessionId, commit: str = "") -> "Lifecycle":
        """Return it with one more merge of a chat's changes to be made."""
        number = self.merge_count + 1
        merge = SessionMerge(session_id=session_id, number=number, commit=commit)
        under_way = ChatMerge(number=number, is_under_way=True)
        return self.model_copy(
            update={
                "merges": (*self.merges, merge),
                "merge_count": number,
                "merged": {**self.merged, session_id: under_way},
            }
        )
