"""The `Terminals` port: opens, keeps and ends the terminals of this host's tasks and chats."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from typing import Any

from temporalio.service import RPCError

from adapters.processes.spawner import Command, Spawner
from adapters.redaction import Redactor
from adapters.terminals.ledger import Entry, TerminalLedger
from adapters.terminals.live import LiveTerminal
from adapters.terminals.scribe import Scribe
from domain.commands import NoteTerminal
from domain.errors import InvalidError, NotFoundError, TreadleError, WrongStateError
from domain.ids import CommandId, EventId, StreamId, TurnId, terminal_stream
from domain.ports import CommandDoor, Journal
from domain.terminals import (
    MAX_OPENED,
    MAX_RUNNING,
    Terminal,
    TerminalOutput,
    TerminalRequest,
    TerminalStatus,
)

LOST = "lost: the worker that kept it was stopped"
WORKER_ENDED = "ended: its worker was stopped"
UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
"""Programs that write to a pipe keep their words back, and nobody would see a server start."""

_NOTE_PAUSE_SECONDS = 0.5
_LONGEST_PAUSE_SECONDS = 30.0

logger = logging.getLogger(__name__)


@dataclass
class _Kept:
    """A terminal that its owner may still ask for; `is_told` once its end was."""

    entry: Entry
    live: LiveTerminal | None = None
    is_told: bool = False

    @property
    def terminal(self) -> Terminal:
        return self.live.terminal if self.live is not None else self.entry.terminal


class HostTerminals:
    """Make one in a worker; `reclaim` what a dead worker lost, and `close_all` at the end."""

    def __init__(
        self,
        spawner: Spawner,
        journal: Journal,
        door: CommandDoor,
        ledger: TerminalLedger,
        redactor: Redactor,
    ) -> None:
        self._spawner = spawner
        self._journal = journal
        self._door = door
        self._ledger = ledger
        self._redactor = redactor
        self._kept: dict[StreamId, _Kept] = {}
        self._numbers: dict[StreamId, int] = {}
        self._locks: defaultdict[StreamId, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._telling: set[asyncio.Task[None]] = set()

    async def create(self, request: TerminalRequest) -> Terminal:
        """Start a process in a terminal; see the port."""
        owner = request.owner
        async with self._locks[owner]:
            entry = Entry(
                owner=owner, session_id=request.session_id, terminal=await self._new(request)
            )
            scribe = Scribe(self._journal, entry.stream)
            self._ledger.write(entry)
            try:
                await scribe.open(entry.terminal)
                await self._note(entry, request.turn_id)
                live = await self._start(request, entry, scribe)
            except BaseException as error:
                await self._failed(entry, scribe, error)
                raise
            self._kept[entry.stream] = _Kept(entry, live)
            self._in_background(self._watch(entry.stream, live))
            return live.terminal

    def of(self, owner: StreamId) -> tuple[Terminal, ...]:
        """Return the owner's terminals that this worker has had, the oldest first."""
        return tuple(kept.terminal for kept in self._of(owner))

    def output(self, terminal: StreamId, since: int = 0, limit_bytes: int = 0) -> TerminalOutput:
        """Return what it has said since a position; see the port."""
        kept = self._known(terminal)
        if kept.live is None:
            self._seen(kept)
            return TerminalOutput(terminal=kept.terminal)
        output = kept.live.output(since, limit_bytes)
        if not output.terminal.is_running:
            self._seen(kept)
        return output

    async def wait(self, terminal: StreamId, seconds: float) -> Terminal:
        """Wait for its exit, at most so long; see the port."""
        kept = self._known(terminal)
        if kept.live is not None:
            await kept.live.wait(seconds)
        return kept.terminal

    async def kill(self, terminal: StreamId, note: str = "killed") -> Terminal:
        """End its process with all below it; see the port."""
        kept = self._known(terminal)
        self._seen(kept)
        return await kept.live.stop(note) if kept.live is not None else kept.terminal

    async def release(self, terminal: StreamId) -> None:
        """End it and forget it; unknown ones are fine."""
        if (kept := self._kept.get(terminal)) is not None:
            await self._end(kept, "released")

    async def end_all(self, owner: StreamId, note: str) -> None:
        """End all terminals of an owner, with all below them; once more is harmless."""
        async with self._locks[owner]:
            await asyncio.gather(*(self._end(kept, note) for kept in [*self._of(owner)]))
            self._numbers.pop(owner, None)

    def untold(self, owner: StreamId) -> tuple[Terminal, ...]:
        """Return once each terminal that ended without its agent's doing; see the port."""
        found = [kept for kept in self._of(owner) if not kept.is_told]
        over = [kept for kept in found if not kept.terminal.is_running]
        for kept in over:
            self._seen(kept)
        return tuple(kept.terminal for kept in over)

    async def reclaim(self) -> None:
        """Tell of the terminals that a dead worker lost; its processes are gone before."""
        for entry in self._ledger.entries():
            if entry.terminal.is_running:
                entry = await self._over(entry, LOST)  # noqa: PLW2901 - as it is from now on
            self._kept[entry.stream] = _Kept(entry)

    async def close_all(self) -> None:
        """End everything; called when the worker ends. The next one tells the owners."""
        live = [kept.live for kept in self._kept.values() if kept.live is not None]
        await asyncio.gather(*(one.stop(WORKER_ENDED) for one in live))
        for task in self._telling:
            task.cancel()
        await asyncio.gather(*self._telling, return_exceptions=True)

    # --- opening

    async def _new(self, request: TerminalRequest) -> Terminal:
        running = sum(kept.terminal.is_running for kept in self._of(request.owner))
        if running >= MAX_RUNNING:
            raise WrongStateError(
                f"{running} terminals run already, which is the most: kill or release one"
            )
        number = await self._next_number(request.owner)
        if number > MAX_OPENED:
            raise WrongStateError(f"{MAX_OPENED} terminals were opened, which is the most")
        return Terminal(
            id=f"terminal-{number}",
            label=request.label,
            command=request.command,
            port=request.port,
            is_required=request.is_required,
            session_id=request.session_id,
        )

    async def _next_number(self, owner: StreamId) -> int:
        """Return the next number of an owner, over restarts and over runs of a task."""
        number = self._numbers.get(owner, 0) + 1
        while await self._journal.event(EventId(f"{terminal_stream(owner, number)}:opened")):
            number += 1
        self._numbers[owner] = number
        return number

    async def _start(self, request: TerminalRequest, entry: Entry, scribe: Scribe) -> LiveTerminal:
        command = Command(
            request.argv,
            request.cwd,
            {**UNBUFFERED, **request.environment},
            is_merged=True,
        )
        try:
            child = await self._spawner.start(command)
        except OSError as error:
            raise InvalidError(f"the command does not start: {error}") from error
        return LiveTerminal(entry.terminal, child, scribe, self._redactor)

    async def _failed(self, entry: Entry, scribe: Scribe, error: BaseException) -> None:
        """Tell that a terminal was never there."""
        note = f"did not start: {error}"[:200]
        over = _ended(entry, note)
        await scribe.end(over.terminal)
        self._ledger.forget(entry.stream)
        self._in_background(self._tell(over))

    # --- keeping

    async def _watch(self, stream: StreamId, live: LiveTerminal) -> None:
        """Tell the owner of a terminal's end."""
        terminal = await asyncio.shield(live.ended)
        kept = self._kept.get(stream)
        if kept is None:
            return
        kept.entry = kept.entry.model_copy(update={"terminal": terminal})
        if not kept.is_told:
            self._ledger.write(kept.entry)
        await self._tell(kept.entry)

    async def _over(self, entry: Entry, note: str) -> Entry:
        """Journal and tell the end of a terminal that has no process."""
        over = _ended(entry, note)
        await Scribe(self._journal, entry.stream).end(over.terminal)
        self._ledger.write(over)
        self._in_background(self._tell(over))
        return over

    async def _end(self, kept: _Kept, note: str) -> None:
        self._seen(kept)
        if kept.live is not None:
            terminal = await kept.live.stop(note)
            kept.entry = kept.entry.model_copy(update={"terminal": terminal})
        self._kept.pop(kept.entry.stream, None)

    async def _note(self, entry: Entry, turn_id: TurnId | None = None) -> None:
        if not entry.is_of_task:
            return
        terminal = entry.terminal
        command = NoteTerminal(
            command_id=CommandId(f"{entry.stream}:{terminal.status}"),
            by=entry.session_id,
            session_id=entry.session_id,
            turn_id=turn_id or TurnId(""),
            terminal=terminal,
        )
        await self._door.send(entry.owner, command)

    async def _tell(self, entry: Entry) -> None:
        """Tell a task of a terminal's end, until it knows or has ended itself."""
        pause = _NOTE_PAUSE_SECONDS
        while True:
            try:
                await self._note(entry)
            except TreadleError as error:
                if not error.is_retryable:
                    return
            except RPCError:
                logger.info("a terminal's end is not told yet", extra={"stream": entry.stream})
            else:
                return
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_SECONDS)

    # --- what is kept

    def _of(self, owner: StreamId) -> Iterator[_Kept]:
        return (kept for kept in self._kept.values() if kept.entry.owner == owner)

    def _known(self, terminal: StreamId) -> _Kept:
        kept = self._kept.get(terminal)
        if kept is None:
            raise NotFoundError(f"there is no {terminal.rpartition('/')[2]!r}, or it was released")
        return kept

    def _seen(self, kept: _Kept) -> None:
        """Note that the agent knows how a terminal ended, or ends it itself."""
        kept.is_told = True
        self._ledger.forget(kept.entry.stream)

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)


def _ended(entry: Entry, note: str) -> Entry:
    changes = {"status": TerminalStatus.EXITED, "note": note}
    return entry.model_copy(update={"terminal": entry.terminal.model_copy(update=changes)})
