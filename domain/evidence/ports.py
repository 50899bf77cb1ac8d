"""The ports to what makes receipts, and to where they are kept beside the code."""

from typing import Protocol

from domain.core.event import Event
from domain.core.ids import ThreadId
from domain.evidence.receipt import Statement
from domain.threads.publishing.calls import PushCall


class ReceiptSource(Protocol):
    """What states and signs receipts; activities know it by this port, as workflows import no cryptography."""

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the public key, as 64 hex digits."""
        ...

    async def stated(self, thread: ThreadId, *, pushed: Event | None = None) -> Statement:
        """Return what was proven of a thread's published tree; `pushed` is what is not journaled yet.

        Raises:
            NoReceiptError: Nothing was published yet, or before there were receipts.
        """
        ...

    def signed(self, statement: Statement) -> bytes:
        """Return a statement as a signed file."""
        ...


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
