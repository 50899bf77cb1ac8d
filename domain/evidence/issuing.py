"""Receipts of threads, made from the journal and signed."""

from collections.abc import Callable

from domain.core.event import Event
from domain.core.ids import StreamId, ThreadId
from domain.core.ports import CodeKey, Journal
from domain.evidence.envelope import sealed
from domain.evidence.gathering import ReceiptGathering
from domain.evidence.keys import SigningKey
from domain.evidence.receipt import Statement

Redact = Callable[[Statement], Statement]
"""Takes secrets out; after it is signed nobody could."""

_BATCH = 500


class Receipts:
    """Makes receipts: the same bytes for the same publication, whoever asks and whenever."""

    def __init__(self, journal: Journal, key: CodeKey, redact: Redact) -> None:
        self._journal = journal
        self._key = key
        self._redact = redact

    async def stated(self, thread: ThreadId, *, pushed: Event | None = None) -> Statement:
        """Return what was proven of a thread's published tree; `pushed` is what is not journaled yet.

        Raises:
            NoReceiptError: Nothing was published yet, or before there were receipts.
        """
        gathering, after = ReceiptGathering(thread), 0
        while batch := await self._journal.read(
            StreamId(thread), after=after, limit=_BATCH, below=True
        ):
            for journaled in batch:
                gathering.add(journaled.event)
            after = batch[-1].position
        if pushed is not None:
            gathering.add(pushed)
        return self._redact(gathering.statement())

    def signed(self, statement: Statement) -> bytes:
        """Return a statement as a signed file."""
        return sealed(statement, self._signing_key)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the public key, as 64 hex digits."""
        return self._signing_key.public.fingerprint

    @property
    def _signing_key(self) -> SigningKey:
        return SigningKey(self._key.read())
