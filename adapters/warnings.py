"""Warnings to the people of a thread, of what they may fix while the work goes on."""

from datetime import UTC, datetime
from hashlib import sha256

from domain.core.event import Event
from domain.core.ids import EventId, StreamId, ThreadId
from domain.core.notices import ResourceWarned
from domain.core.ports import Journal


class ThreadWarnings:
    """Journals warnings; the same words to the same thread are one warning."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    async def tell(self, thread_id: ThreadId, message: str) -> None:
        """Tell the people of a thread; durable on return."""
        digest = sha256(message.encode("utf-8", "backslashreplace")).hexdigest()[:16]
        warning = Event(
            id=EventId(f"{thread_id}:warning:{digest}"),
            stream=StreamId(thread_id),
            at=datetime.now(UTC),
            body=ResourceWarned(message=message),
        )
        await self._journal.append([warning])
