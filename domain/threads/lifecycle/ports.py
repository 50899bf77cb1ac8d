"""The ports that keep a thread's results, write its plan's file, and remove it."""

from collections.abc import Collection
from typing import Protocol

from domain.core.ids import StreamId, ThreadId
from domain.core.project_map import PlanFolders
from domain.core.workspaces import MergeResult
from domain.threads.lifecycle.calls import MergeSessionCall, RemovalCall
from domain.threads.lifecycle.plan_document import PlanDocument


class ThreadBranches(Protocol):
    """A thread's branches and hidden refs in its repository."""

    async def merge_session(self, call: MergeSessionCall) -> MergeResult:
        """Merge the newest checkpoint of a session, or the commit that is named, once per key.

        On conflicts the branch stays where it is, unless a person chose a side for these. So it does
        where the checkpoint holds conflict markers of a merge that its agent did not finish.
        """
        ...

    async def add_file(self, repository: str, branch: str, path: str, text: str) -> None:
        """Commit a file onto a branch that is checked out nowhere; one that is there is replaced.

        Raises:
            WorkspaceError: The branch is gone, checked out by a person, or keeps moving.
        """
        ...

    async def remove(self, call: RemovalCall) -> tuple[str, ...]:
        """Remove a thread's branches and hidden refs; returns the branches that stay.

        One with work that is on no other branch stays unless it is forced, and so does one that a
        person has checked out. A repository that is gone has none.
        """
        ...


class PlanFiles(Protocol):
    """Plans as files in a repository's checkout, which agents and people read."""

    async def write(self, repository: str, folders: PlanFolders, document: PlanDocument) -> str:
        """Write a document into its folder and remove it from the other one; returns its path.

        Raises:
            WorkspaceError: A file is there that is not this plan's, or it cannot be written.
        """
        ...


class Removal(Protocol):
    """What else a thread leaves on its host."""

    async def forget(self, thread: StreamId) -> None:
        """Remove a thread's events, headlines and texts from the journal."""
        ...

    async def remove_homes(self, thread: ThreadId) -> None:
        """Remove the homes of its agents."""
        ...

    async def await_ends(self, workflow_ids: Collection[str]) -> None:
        """Wait until workflows have ended; ones that never were are fine."""
        ...
