"""Events of what people do with a thread as a whole: its name, its place, its changes, its end."""

from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import SessionId


class ThreadRenamed(EventBody):
    """A person gave the thread a topic of their own."""

    kind: Literal["thread_renamed"] = "thread_renamed"
    topic: str
    by: str = ""


class ThreadAssigned(EventBody):
    """A person said who takes care of the thread; empty is nobody in particular."""

    kind: Literal["thread_assigned"] = "thread_assigned"
    person: str
    by: str = ""


class ThreadArchived(EventBody):
    """A person put the thread away; it stays readable, and what runs goes on."""

    kind: Literal["thread_archived"] = "thread_archived"
    by: str = ""


class ThreadUnarchived(EventBody):
    """A person put the thread back among the others."""

    kind: Literal["thread_unarchived"] = "thread_unarchived"
    by: str = ""


class ThreadPinned(EventBody):
    """A person pinned the thread: no prune removes it."""

    kind: Literal["thread_pinned"] = "thread_pinned"
    by: str = ""


class ThreadUnpinned(EventBody):
    """A person unpinned the thread: prunes may remove it again."""

    kind: Literal["thread_unpinned"] = "thread_unpinned"
    by: str = ""


class SessionMergeRequested(EventBody):
    """A person wants a session's newest changes on the thread's branch."""

    kind: Literal["session_merge_requested"] = "session_merge_requested"
    session_id: SessionId
    number: int
    by: str = ""


class SessionMergeEnded(EventBody):
    """A session's newest changes are on the thread's branch, or why they are not.

    With `conflicts` the branch stayed where it was; where a person `is_asked`, `conflict_found` tells it.
    Without anything `is_new` they were on the branch before.
    """

    kind: Literal["session_merge_ended"] = "session_merge_ended"
    session_id: SessionId
    number: int
    branch: str = ""
    commit: str | None = None
    conflicts: tuple[str, ...] = ()
    failure: str = ""
    is_asked: bool = False
    is_new: bool = True


class DocumentDue(EventBody):
    """The plan's file is behind the plan; `mark` names what it shall say."""

    kind: Literal["document_due"] = "document_due"
    plan_id: str
    mark: str


class DocumentWritten(EventBody):
    """The plan's file says what its mark names, or why it does not."""

    kind: Literal["document_written"] = "document_written"
    plan_id: str
    mark: str
    path: str = ""
    problem: str = ""


class DeletionRequested(EventBody):
    """A person wants the thread gone, with all that it holds."""

    kind: Literal["deletion_requested"] = "deletion_requested"
    is_forced: bool = False
    by: str = ""


KeepingEvent = (
    ThreadRenamed
    | ThreadArchived
    | ThreadUnarchived
    | ThreadPinned
    | ThreadUnpinned
    | SessionMergeRequested
    | SessionMergeEnded
    | DocumentDue
    | DocumentWritten
    | DeletionRequested
)
