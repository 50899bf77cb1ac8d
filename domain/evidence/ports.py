"""The port to where receipts are kept beside the code."""

from typing import Protocol

from domain.threads.publishing.calls import PushCall


class ReceiptNotes(Protocol):
    """Notes of commits in a repository of this host."""

    async def keep(self, repository: str, commit: str, receipt: bytes) -> None:
        """Keep a receipt as the note of a commit, in place of the one that it had.

        Raises:
            RepositoryError: There is no such commit, or git must not run there.
        """
        ...

    async def push(self, call: PushCall) -> None:
        """Push the notes to where the branch of a call was pushed, beside those that others have there.

        Does nothing where a setting keeps them on this host.

        Raises:
            TreadleError: The remote refuses, or does not answer.
        """
        ...

    async def tree(self, repository: str, commit: str) -> str | None:
        """Return the tree of a commit; None where the repository has no such commit."""
        ...

    async def kept(self, repository: str, commit: str) -> bytes | None:
        """Return the receipt that is the note of a commit."""
        ...
