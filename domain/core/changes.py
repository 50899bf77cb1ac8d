"""What a thread has changed: its branch, or a session's newest work, against where it began."""

from typing import Protocol

from pydantic import Field

from domain.core.beside import OpenedBeside
from domain.core.conflict_lines import ConflictLines, ConflictQuery
from domain.core.contents import ContentQuery, FileContent
from domain.core.ids import SessionId, ThreadId
from domain.core.summaries import Summarized
from domain.core.wire import Wire


class ChangesQuery(Summarized):
    """A look at a thread's branch, made by a workflow with this id on the repository's host.

    With a `session_id` it is at that session's newest work, with a `commit` at what changed in it since
    another one, both of the thread. `begins_at` is the commit that the branch
    began at, `target` the branch that it would be merged into; empty where there is none.
    """

    query_id: str
    thread_id: ThreadId
    host: str
    repository: str
    branch: str
    begins_at: str
    target: str = ""
    session_id: SessionId | None = None
    since: str = Field(default="", exclude_if=lambda since: not since)
    commit: str = Field(default="", exclude_if=lambda commit: not commit)
    beside: tuple[OpenedBeside, ...] = Field(default=(), exclude_if=lambda beside: not beside)

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"compare {self.branch or self.thread_id}"


class BesideChanges(Wire):
    """The branch of a repository beside: its commit, and where the branch is that it would be merged into."""

    name: str
    commit: str
    target: str = ""
    target_commit: str = ""


class BranchChanges(Wire):
    """What was found: the two commits that are compared, and the patch between them.

    `diff_ref` names the patch in the journal; it is empty where nothing changed. `target_commit` is where the branch
    to merge into is now, empty where it is gone; `is_merged` says that it holds the commit already.
    """

    branch: str = ""
    base: str = ""
    commit: str = ""
    diff_ref: str = ""
    target: str = ""
    target_commit: str = ""
    is_merged: bool = False
    failure: str = ""
    beside: tuple[BesideChanges, ...] = ()


class Branches(Protocol):
    """The branches of repositories, as people look at them."""

    async def compare(self, query: ChangesQuery) -> BranchChanges:
        """Return which commits are to be compared; changes nothing.

        Raises:
            RepositoryError: The branch is gone, or the repository is not what is trusted.
        """
        ...

    async def conflict(self, query: ConflictQuery) -> ConflictLines:
        """Return the lines that two commits cannot be merged in; changes nothing.

        Raises:
            RepositoryError: A commit is gone, or the repository is not what is trusted.
        """
        ...

    async def content(self, query: ContentQuery) -> FileContent:
        """Return a file as it is in a commit of a thread; changes nothing.

        Raises:
            RepositoryError: The thread has no such commit, or the repository is not what is trusted.
        """
        ...
