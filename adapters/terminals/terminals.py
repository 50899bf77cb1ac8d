"""The `Terminals` port: opens, keeps and ends the terminals of this host's tasks and chats."""

import asyncio
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

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
class _Tracked:
    """A terminal that its owner may still ask for; `is_told` once its agent knows of its end."""

    entry: Entry
    live: LiveTerminal | None = None
    is_told: bool = False

    @property
    def terminal(self) -> Terminal:
        return self.live.terminal if self.live is not None else self.entry.terminal


class Companions(Protocol):
    """What else ends with a task or a chat, and with the worker."""

    async def end_all(self, owner: StreamId, note: str) -> None:
        """End all of an owner; once more is harmless."""
        ...

    async def reclaim(self) -> None:
        """Tell of what a dead worker lost."""
        ...

    async def close_all(self) -> None:
        """End everything."""
        ...


class HostTerminals:
    """Make one in a worker; `reclaim` what a dead worker lost, and `close_all` at the end."""

    services: Companions | None = None
    """The services that end with their owner's terminals; set before the first start."""

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
        self._notifications = telling
        self._tracked: dict[StreamId, _Tracked] = {}
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
                await self._notifications.notify(entry, request.turn.turn_id)
                live = await self._starting.start(request, entry.terminal, recorder)
            except BaseException as error:
                await self._over(entry, recorder, f"did not start: {error}"[:MAX_NOTE])
                self._ledger.forget(entry.stream)
                raise
            self._tracked[entry.stream] = _Tracked(entry, live)
            self._notifications.begin(self._watch(entry, live))
            return live.terminal

    def of(self, owner: StreamId) -> tuple[Terminal, ...]:
        """Return the owner's terminals that this worker has had, the oldest first."""
        return tuple(tracked.terminal for tracked in self._of(owner))

    def output(self, terminal: StreamId, since: int = 0, limit_bytes: int = 0) -> TerminalOutput:
        """Return what it has said since a position; see the port."""
        tracked = self._known(terminal)
        if tracked.live is None:
            self._seen(tracked)
            return TerminalOutput(terminal=tracked.terminal)
        output = tracked.live.output(since, limit_bytes)
        if not output.terminal.is_running:
            self._seen(tracked)
        return output

    async def wait(self, terminal: StreamId, seconds: float) -> Terminal:
        """Wait for its exit, at most so long; see the port."""
        tracked = self._known(terminal)
        if tracked.live is not None:
            await tracked.live.wait(seconds)
        return tracked.terminal

    async def kill(self, terminal: StreamId, note: str = "killed") -> Terminal:
        """End its process with all below it; see the port."""
        tracked = self._known(terminal)
        self._seen(tracked)
        return await tracked.live.stop(note) if tracked.live is not None else tracked.terminal

    async def release(self, terminal: StreamId) -> None:
        """End it and forget it; unknown ones are fine."""
        if (tracked := self._tracked.get(terminal)) is not None:
            await self._end(tracked, "released")

    async def end_all(self, owner: StreamId, note: str) -> None:
        """End all terminals of an owner, with all below them; once more is harmless."""
        async with self._locks[owner]:
            await asyncio.gather(*(self._end(tracked, note) for tracked in [*self._of(owner)]))
            self._numbers.pop(owner, None)
        if self.services is not None:
            await self.services.end_all(owner, note)

    def unreported_exits(self, session_id: SessionId) -> tuple[Terminal, ...]:
        """Return, once, what a session opened that ended without its doing; see the port."""
        own = [
            tracked for tracked in self._tracked.values() if tracked.entry.session_id == session_id
        ]
        over = [
            tracked for tracked in own if not tracked.is_told and not tracked.terminal.is_running
        ]
        for tracked in over:
            self._seen(tracked)
        return tuple(tracked.terminal for tracked in over)

    async def reclaim(self) -> None:
        """Tell of the terminals that a dead worker lost; its processes are gone before."""
        for entry in self._ledger.entries():
            known = entry
            if entry.terminal.is_running:
                known = await self._over(entry, TerminalRecorder(self._journal, entry.stream), LOST)
                self._ledger.write(known)
            self._tracked[known.stream] = _Tracked(known)
        if self.services is not None:
            await self.services.reclaim()

    async def close_all(self) -> None:
        """End everything; called when the worker ends. The next one tells the owners."""
        live = [tracked.live for tracked in self._tracked.values() if tracked.live is not None]
        await asyncio.gather(*(one.stop(WORKER_ENDED) for one in live))
        if self.services is not None:
            await self.services.close_all()
        await self._notifications.close()

    async def _new(self, request: TerminalRequest) -> Terminal:
        running = sum(tracked.terminal.is_running for tracked in self._of(request.owner))
        if running >= MAX_RUNNING:
            raise WrongStateError(
                f"{running} terminals run already, which is the most: kill or release one"
            )
        over = [tracked for tracked in self._of(request.owner) if not tracked.terminal.is_running]
        for tracked in over[: max(0, len(over) - MAX_KEPT)]:
            await self._end(tracked, "forgotten")
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
        tracked = self._tracked.get(entry.stream)
        if tracked is not None and not tracked.is_told:
            tracked.entry = over
            self._ledger.write(over)
        self._notifications.notify_later(over)

    async def _over(self, entry: Entry, recorder: TerminalRecorder, note: str) -> Entry:
        """Journal and tell the end of a terminal that has no process."""
        changes = {"status": TerminalStatus.EXITED, "note": note}
        over = entry.model_copy(update={"terminal": entry.terminal.model_copy(update=changes)})
        await recorder.end(over.terminal)
        self._notifications.notify_later(over)
        return over

    async def _end(self, tracked: _Tracked, note: str) -> None:
        self._seen(tracked)
        if tracked.live is not None:
            await tracked.live.stop(note)
        self._tracked.pop(tracked.entry.stream, None)

    def _of(self, owner: StreamId) -> Iterator[_Tracked]:
        return (tracked for tracked in self._tracked.values() if tracked.entry.owner == owner)

    def _known(self, terminal: StreamId) -> _Tracked:
        tracked = self._tracked.get(terminal)
        if tracked is None:
            raise NotFoundError(f"there is no {terminal.rpartition('/')[2]!r}, or it was released")
        return tracked

    def _seen(self, tracked: _Tracked) -> None:
        """Note that the agent knows how a terminal ended, or ends it itself."""
        tracked.is_told = True
        self._ledger.forget(tracked.entry.stream)
