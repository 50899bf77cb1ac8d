"""The `Terminals` port: opens, keeps and ends the terminals of this host's tasks and chats."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adapters.terminals.launcher import TerminalLauncher
from adapters.terminals.ledger import Entry, TerminalLedger
from adapters.terminals.live import LiveTerminal
from adapters.terminals.notifications import TerminalNotifications
from adapters.terminals.recorder import TerminalRecorder
from domain.agents.hosting import TerminalRequest
from domain.agents.terminals import (
    MAX_KEPT,
    MAX_OPENED,
    MAX_RUNNING,
    Terminal,
    TerminalOutput,
    TerminalStatus,
)
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.ids import EventId, SessionId, StreamId, terminal_stream
from domain.core.ports import CommandDoor, Journal

LOST = "lost: the worker that kept it was stopped"
WORKER_ENDED = "ended: its worker was stopped"
MAX_NOTE = 200


@dataclass
class _Kept:
    """A terminal that its owner may still ask for; `is_told` once its agent knows of its end."""

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
        journal: Journal,
        ledger: TerminalLedger,
        starting: TerminalLauncher,
        telling: TerminalNotifications,
    ) -> None:
        self._journal = journal
        self._ledger = ledger
        self._starting = starting
        self._telling = telling
        self._kept: dict[StreamId, _Kept] = {}
        self._numbers: dict[StreamId, int] = {}
        self._locks: defaultdict[StreamId, asyncio.Lock] = defaultdict(asyncio.Lock)

    @classmethod
    def on(
        cls, folder: Path, journal: Journal, door: CommandDoor, starting: TerminalLauncher
    ) -> "HostTerminals":
        """Return the terminals of a host that keeps in a folder which are open."""
        return cls(journal, TerminalLedger(folder), starting, TerminalNotifications(door))

    async def create(self, request: TerminalRequest) -> Terminal:
        """Start a process in a terminal; see the port."""
        async with self._locks[request.owner]:
            entry = Entry(
                owner=request.owner,
                session_id=request.turn.session_id,
                terminal=await self._new(request),
            )
            recorder = TerminalRecorder(self._journal, entry.stream)
            self._ledger.write(entry)
            try:
                await recorder.open(entry.terminal)
                await self._telling.tell(entry, request.turn.turn_id)
                live = await self._starting.start(request, entry.terminal, recorder)
            except BaseException as error:
                await self._over(entry, recorder, f"did not start: {error}"[:MAX_NOTE])
                self._ledger.forget(entry.stream)
                raise
            self._kept[entry.stream] = _Kept(entry, live)
            self._telling.begin(self._watch(entry, live))
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

    def untold(self, session_id: SessionId) -> tuple[Terminal, ...]:
        """Return, once, what a session opened that ended without its doing; see the port."""
        own = [kept for kept in self._kept.values() if kept.entry.session_id == session_id]
        over = [kept for kept in own if not kept.is_told and not kept.terminal.is_running]
        for kept in over:
            self._seen(kept)
        return tuple(kept.terminal for kept in over)

    async def reclaim(self) -> None:
        """Tell of the terminals that a dead worker lost; its processes are gone before."""
        for entry in self._ledger.entries():
            known = entry
            if entry.terminal.is_running:
                known = await self._over(entry, TerminalRecorder(self._journal, entry.stream), LOST)
                self._ledger.write(known)
            self._kept[known.stream] = _Kept(known)

    async def close_all(self) -> None:
        """End everything; called when the worker ends. The next one tells the owners."""
        live = [kept.live for kept in self._kept.values() if kept.live is not None]
        await asyncio.gather(*(one.stop(WORKER_ENDED) for one in live))
        await self._telling.close()

    async def _new(self, request: TerminalRequest) -> Terminal:
        running = sum(kept.terminal.is_running for kept in self._of(request.owner))
        if running >= MAX_RUNNING:
            raise WrongStateError(
                f"{running} terminals run already, which is the most: kill or release one"
            )
        over = [kept for kept in self._of(request.owner) if not kept.terminal.is_running]
        for kept in over[: max(0, len(over) - MAX_KEPT)]:
            await self._end(kept, "forgotten")
        number = await self._next_number(request.owner)
        if number > MAX_OPENED:
            raise WrongStateError(f"{MAX_OPENED} terminals were opened, which is the most")
        return Terminal(
            id=f"terminal-{number}",
            label=request.label,
            command=request.command,
            port=request.port,
            is_required=request.is_required,
            session_id=request.turn.session_id,
        )

    async def _next_number(self, owner: StreamId) -> int:
        """Return the next number of an owner, over restarts and over runs of a task."""
        number = self._numbers.get(owner, 0) + 1
        while await self._journal.event(EventId(f"{terminal_stream(owner, number)}:opened")):
            number += 1
        self._numbers[owner] = number
        return number

    async def _watch(self, entry: Entry, live: LiveTerminal) -> None:
        """Tell the owner of a terminal's end."""
        over = entry.model_copy(update={"terminal": await asyncio.shield(live.ended)})
        kept = self._kept.get(entry.stream)
        if kept is not None and not kept.is_told:
            kept.entry = over
            self._ledger.write(over)
        self._telling.tell_later(over)

    async def _over(self, entry: Entry, recorder: TerminalRecorder, note: str) -> Entry:
        """Journal and tell the end of a terminal that has no process."""
        changes = {"status": TerminalStatus.EXITED, "note": note}
        over = entry.model_copy(update={"terminal": entry.terminal.model_copy(update=changes)})
        await recorder.end(over.terminal)
        self._telling.tell_later(over)
        return over

    async def _end(self, kept: _Kept, note: str) -> None:
        self._seen(kept)
        if kept.live is not None:
            await kept.live.stop(note)
        self._kept.pop(kept.entry.stream, None)

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
