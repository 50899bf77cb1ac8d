"""Ports that let no secret through to what is kept: the journal, agents, the door of their commands."""

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

from adapters.redaction import Redactor
from adapters.tolerant import as_dict
from domain.agents.agents import AgentAnswer, AgentCall
from domain.agents.ports import AgentRunner
from domain.agents.updates import CHUNKS, kind_of
from domain.conversations.events import AgentUpdate
from domain.core.command import Answer, Command
from domain.core.damage_events import EventDamaged
from domain.core.errors import AgentError, JournalError, RefusedByProviderError
from domain.core.event import Event, EventBody, Headline, JournaledEvent
from domain.core.ids import EventId, SessionId, StreamId
from domain.core.ports import Beat, CommandDoor, Journal, Record


class RedactedJournal:
    """A journal whose texts were redacted before they were written; reading is the journal's own."""

    def __init__(self, journal: Journal, redactor: Redactor) -> None:
        self._journal = journal
        self._redactor = redactor

    async def append(self, events: Sequence[Event], headlines: Sequence[Headline] = ()) -> None:
        """Append events in order, redacted; ids and streams stay as they are."""
        clean = [e.model_copy(update={"body": self._redactor.model(e.body)}) for e in events]
        await self._journal.append(clean, [self._redactor.model(h) for h in headlines])

    async def append_before(self, event: Event, end: str, *, after: int) -> None:
        """Append an event, redacted, unless its stream has one of the kind `end` after a position."""
        clean = event.model_copy(update={"body": self._redactor.model(event.body)})
        await self._journal.append_before(clean, end, after=after)

    async def put_text(self, text: str) -> str:
        """Keep a long text, redacted; returns its reference."""
        return await self._journal.put_text(self._redactor.text(text))

    async def event(self, event_id: EventId) -> Event | None:
        """Return one event by its id.

        Raises:
            JournalError: It is damaged. Taken for one that is not there, it would be done once more.
        """
        found = await self._journal.event(event_id)
        if found is not None and isinstance(found.body, EventDamaged):
            reason = f": {found.body.reason}" if found.body.reason else ""
            raise JournalError(
                f"event {event_id!r} of {found.stream} is damaged and needed{reason}; "
                "`treadle journal repair` restores it if Temporal still has it"
            )
        return found

    async def read(
        self,
        stream: StreamId | None = None,
        *,
        after: int = 0,
        limit: int = 500,
        below: bool = False,
    ) -> list[JournaledEvent]:
        """Return the next events after a position, in order."""
        return await self._journal.read(stream, after=after, limit=limit, below=below)

    async def position(self) -> int:
        """Return the newest position."""
        return await self._journal.position()

    def follow(
        self, stream: StreamId | None = None, *, after: int = 0, below: bool = False
    ) -> AsyncIterator[JournaledEvent]:
        """Yield events after a position, then new ones as they come."""
        return self._journal.follow(stream, after=after, below=below)

    async def headlines(
        self, kind: str | None = None, *, below: StreamId | None = None
    ) -> list[Headline]:
        """Return the newest headline of each stream."""
        return await self._journal.headlines(kind, below=below)

    async def open_headlines(self, named: Collection[str]) -> list[Headline]:
        """Return the headlines of threads and flow runs that have not ended, and of those named."""
        return await self._journal.open_headlines(named)

    async def text(self, reference: str) -> str | None:
        """Return a kept text."""
        return await self._journal.text(reference)


class RedactedDoor:
    """A door for agents' commands: what is planned, shown, approved and run is the redacted text."""

    def __init__(self, door: CommandDoor, redactor: Redactor) -> None:
        self._door = door
        self._redactor = redactor

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command, redacted, and return the answer."""
        return await self._door.send(workflow_id, self._redactor.model(command))


class RedactedRunner:
    """Agents whose words are redacted, a secret that is split over two chunks of text too."""

    def __init__(self, runner: AgentRunner, redactor: Redactor) -> None:
        self._runner = runner
        self._redactor = redactor

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        """Run one turn to its end; see the port.

        Raises:
            AgentError: As the runner does, its message redacted.
        """
        redacted = _RedactedRecorder(record, self._redactor)
        try:
            answer = await self._runner.run_turn(call, redacted.record, beat)
        except RefusedByProviderError as error:
            raise RefusedByProviderError(
                self._redactor.text(error.message), error.retry_at
            ) from None
        except AgentError as error:
            # not chained: the cause holds the words as they were
            raise type(error)(self._redactor.text(error.message)) from None
        finally:
            await redacted.flush()
        return self._redactor.model(answer)

    async def close(self, session_id: SessionId) -> None:
        """End a session's process and all below it."""
        await self._runner.close(session_id)


class _RedactedRecorder:
    """The events of a turn; the end of a text waits while it may be the beginning of a secret."""

    def __init__(self, record: Record, redactor: Redactor) -> None:
        self._record = record
        self._redactor = redactor
        self._open: AgentUpdate | None = None
        self._rest = ""

    async def record(self, body: EventBody) -> None:
        """Take an event."""
        text = _chunk_text(body)
        if text is None or not isinstance(body, AgentUpdate):
            await self.flush()
            await self._record(body)
            return
        if self._open is not None and _frame(self._open) != _frame(body):
            await self.flush()
        ready, self._rest = self._redactor.settled(self._rest + text)
        self._open = body
        if ready:
            await self._record(_with_text(body, ready))

    async def flush(self) -> None:
        """Record what waits."""
        rest, body, self._rest, self._open = self._rest, self._open, "", None
        if rest and body is not None:
            await self._record(_with_text(body, self._redactor.text(rest)))


def _chunk_text(body: EventBody) -> str | None:
    """Return the text of a chunk of an agent's message, None for all else."""
    if not isinstance(body, AgentUpdate) or kind_of(body.update) not in CHUNKS:
        return None
    text = as_dict(body.update.get("content")).get("text")
    return text if isinstance(text, str) else None


def _with_text(body: AgentUpdate, text: str) -> AgentUpdate:
    content = {**as_dict(body.update.get("content")), "text": text}
    return body.model_copy(update={"update": {**body.update, "content": content}})


def _frame(body: AgentUpdate) -> dict[str, Any]:
    """Return a chunk without its text: what is equal for two pieces of one message."""
    return _with_text(body, "").update
