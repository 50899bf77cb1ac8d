"""The port of bases; see domain/ports.py."""

from collections.abc import Collection
from typing import Protocol

from domain.core.workspaces import MergeCandidate, MergeResult
from domain.threads.bases.calls import BaseCall, BaseQuery
from domain.threads.bases.looks import BaseLook


class Bases(Protocol):
    """The branches of remotes that threads are to be merged into."""

    async def look(self, query: BaseQuery) -> BaseLook:
        """Fetch a base and tell how far it has moved; what cannot be fetched is said in the note.

        Raises:
            RepositoryError: The thread's branch is gone, or the repository is not what is trusted.
        """
        ...

    async def begin(self, query: BaseQuery) -> BaseLook:
        """Fetch a base, and move a branch with nothing of its own to it; returns how it is then.

        Raises:
            RepositoryError: As `look`.
        """
        ...

    async def update(
        self, call: BaseCall, look: BaseLook, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        """Take a base into the thread's branch, once; on conflicts the branch stays untouched.

        With `verified` trees the branch only moves to one of these.

        Raises:
            RepositoryError: As `look`.
        """
        ...
