"""The `Services` port: processes of recipes' services, kept by the worker, their output in the journal."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from adapters.processes.listeners import Listeners
from adapters.setup.service_health import why_unhealthy
from adapters.setup.service_launcher import ServiceLauncher
from adapters.setup.texts import RecipeTexts
from adapters.terminals.ledger import Entry, TerminalLedger
from adapters.terminals.live import LiveTerminal
from adapters.terminals.recorder import TerminalRecorder
from adapters.terminals.terminals import LOST, WORKER_ENDED
from domain.agents.ports import PortLeases
from domain.agents.terminal_events import ServiceChecked
from domain.agents.terminals import MAX_COMMAND, Terminal, TerminalStatus, as_read
from domain.core.errors import TreadleError
from domain.core.ids import EventId, SessionId, StreamId, service_stream
from domain.core.ports import Beat, Journal
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.recipe import SERVED, Service, User, WorkspaceRecipe
from domain.recipes.services import (
    MAX_TAIL_BYTES,
    ServicePlace,
    ServiceRun,
    ServiceState,
    StartedService,
    lease_name,
    services_for,
    start_order,
)

_Key = tuple[StreamId, User, str]


@dataclass(frozen=True)
class Neighbours:
    """What services need of this host."""

    texts: RecipeTexts
    leases: PortLeases
    listeners: Listeners


@dataclass(frozen=True)
class _Start:
    """One start that is under way: of which service, where, with which numbers."""

    name: str
    service: Service
    place: ServicePlace
    ports: Mapping[str, int]
    beat: Beat

    @property
    def key(self) -> _Key:
        return (self.place.owner, self.place.user, self.name)

    @property
    def number(self) -> int | None:
        return self.ports.get(self.service.port) if self.service.port is not None else None


@dataclass(frozen=True)
class _Running:
    """A service's process; `place` is where it works."""

    entry: Entry
    live: LiveTerminal
    place: ServicePlace

    @property
    def number(self) -> int | None:
        service = self.entry.terminal.service
        return service.number if service is not None else None

    def is_of(self, workspace_id: str, user: User) -> bool:
        return (self.place.workspace.workspace_id, self.place.user) == (workspace_id, user)


class HostServices:
    """Make one in a worker; `reclaim` what a dead worker lost, and `close_all` at the end."""

    def __init__(
        self,
        journal: Journal,
        ledger: TerminalLedger,
        starting: ServiceLauncher,
        neighbours: Neighbours,
    ) -> None:
        self._journal = journal
        self._ledger = ledger
        self._starting = starting
        self._texts = neighbours.texts
        self._leases = neighbours.leases
        self._listeners = neighbours.listeners
        self._running: dict[_Key, _Running] = {}
        self._numbers: dict[StreamId, int] = {}
        self._locks: defaultdict[tuple[StreamId, User], asyncio.Lock] = defaultdict(asyncio.Lock)

    async def ports(self, workspace: WorkspaceSpec, user: User) -> Mapping[str, int]:
        """Return the numbers of a user's services; see the port."""
        recipe = await self._recipe(workspace)
        return await self._ports(recipe, services_for(recipe.services, user), workspace, user)

    async def start(self, place: ServicePlace, beat: Beat) -> tuple[StartedService, ...]:
        """Have services run, in their order; see the port."""
        recipe = await self._recipe(place.workspace)
        services = recipe.services
        wanted = place.names if place.names is not None else services_for(services, place.user)
        order = start_order(services, wanted)
        if not order:
            return ()
        async with self._locks[place.owner, place.user]:
            ports = await self._ports(recipe, order, place.workspace, place.user)
            found: dict[str, StartedService] = {}
            for name in order:
                one = _Start(name, services[name], place, ports, beat)
                needs = (found[other] for other in services[name].depends_on)
                lacking = next((each.name for each in needs if not each.is_healthy), None)
                found[name] = _waits(one, lacking) if lacking else await self._one(one)
        return tuple(found.values())

    async def stop(
        self, owner: StreamId, user: User, note: str, names: Iterable[str] | None = None
    ) -> None:
        """End services of a user; see the port."""
        wanted = None if names is None else frozenset(names)
        async with self._locks[owner, user]:
            theirs = [key for key in self._running if key[:2] == (owner, user)]
            await self._end((k for k in theirs if wanted is None or k[2] in wanted), note)

    async def end_all(self, owner: StreamId, note: str) -> None:
        """End all services of an owner, with all below them; once more is harmless."""
        for user in SERVED:
            await self.stop(owner, user, note)
            self._locks.pop((owner, user), None)
        self._numbers.pop(owner, None)

    async def reclaim(self) -> None:
        """Tell of the services that a dead worker lost; its processes are gone before."""
        for entry in self._ledger.entries():
            over = {"status": TerminalStatus.EXITED, "note": LOST}
            terminal = entry.terminal.model_copy(update=over)
            await TerminalRecorder(self._journal, entry.stream).end(terminal)
            self._ledger.forget(entry.stream)

    async def close_all(self) -> None:
        """End everything; called when the worker ends."""
        await self._end(list(self._running), WORKER_ENDED)

    async def _recipe(self, workspace: WorkspaceSpec) -> WorkspaceRecipe:
        if not workspace.recipe:
            return WorkspaceRecipe()
        return await self._texts.recipe(workspace.recipe)

    async def _ports(
        self, recipe: WorkspaceRecipe, names: Iterable[str], workspace: WorkspaceSpec, user: User
    ) -> dict[str, int]:
        owner = workspace.workspace_id
        held = {  # asked again, its number would seem a stranger's: a person's holds no workspace
            each.entry.terminal.port: each.number
            for each in self._running.values()
            if each.is_of(owner, user) and each.live.terminal.is_running
        }
        ports = (recipe.services[name].port for name in names)
        return {
            port: held.get(port) or await self._leases.lease(owner, lease_name(port, user))
            for port in ports
            if port is not None
        }

    async def _one(self, one: _Start) -> StartedService:
        """Have one service run; one that runs elsewhere, or failed, is ended first."""
        running = self._running.get(one.key)
        if running is not None and _fits(running, one):
            return _told(running)
        if running is not None:
            await self._end([one.key], "started again")
        try:
            running = await self._opened(one)
        except TreadleError as error:
            return _failed(one, error.message)
        await self._settle(running, one)
        return _told(running, is_new=True)

    async def _opened(self, one: _Start) -> _Running:
        entry = Entry(
            owner=one.place.owner,
            session_id=SessionId(one.place.owner),  # no task is told: it is not its agent's
            terminal=await self._terminal(one),
        )
        recorder = TerminalRecorder(self._journal, entry.stream)
        self._ledger.write(entry)
        await recorder.open(entry.terminal)
        try:
            live = await self._starting.start(
                one.service, one.place, one.ports, entry.terminal, recorder
            )
        except BaseException as error:
            over = {"status": TerminalStatus.EXITED, "note": f"did not start: {error}"[:200]}
            await recorder.end(entry.terminal.model_copy(update=over))
            self._ledger.forget(entry.stream)
            raise
        running = _Running(entry, live, one.place)
        self._running[one.key] = running
        live.ended.add_done_callback(lambda _: self._ledger.forget(entry.stream))
        return running

    async def _terminal(self, one: _Start) -> Terminal:
        owner = one.place.owner
        number = self._number(owner)
        while await self._journal.event(EventId(f"{service_stream(owner, number)}:opened")):
            number = self._number(owner)
        return Terminal(
            id=service_stream(owner, number).rpartition("/")[2],
            label=one.name,
            command=one.service.command[:MAX_COMMAND],
            port=one.service.port,
            service=ServiceRun(user=one.place.user, number=one.number),
        )

    def _number(self, owner: StreamId) -> int:
        """Return a number that no other start of an owner takes meanwhile."""
        self._numbers[owner] = self._numbers.get(owner, 0) + 1
        return self._numbers[owner]

    async def _settle(self, running: _Running, one: _Start) -> None:
        """Wait until a service is healthy, and journal how it came out; one that is not is ended."""

        async def stranger(port: int) -> str:
            """Say who else listens there; a person's services hold no workspace, so nobody is told."""
            if one.place.user is User.PERSON:
                return ""
            return await self._listeners.foreign(port, one.place.workspace.workspace_id)

        try:
            failure = await why_unhealthy(one.service, running.live, one.number, stranger, one.beat)
        except BaseException:
            await self._end([one.key], "its start was cut off")
            raise
        state = ServiceState.FAILED if failure else ServiceState.HEALTHY
        run = ServiceRun(user=one.place.user, number=one.number, state=state, failure=failure)
        checked = ServiceChecked(terminal=running.live.settle(run))
        recorder = TerminalRecorder(self._journal, running.entry.stream)
        await recorder.note("checked", checked)
        if failure:
            await running.live.stop("it was not healthy")

    async def _end(self, keys: Iterable[_Key], note: str) -> None:
        """End services, those that depend on others first."""
        for key in reversed(list(keys)):
            running = self._running.pop(key, None)
            if running is not None:
                await running.live.stop(note)
                self._ledger.forget(running.entry.stream)  # its callback may come a moment later


def _fits(running: _Running, one: _Start) -> bool:
    """Tell whether what runs is what is asked for: there, of use, in the same folder, on its number."""
    terminal, run = running.live.terminal, running.live.terminal.service
    return (
        terminal.is_running
        and run is not None
        and run.state is ServiceState.HEALTHY
        and run.number == one.number
        and running.place.directory == one.place.directory
        and terminal.command == one.service.command[:MAX_COMMAND]
    )


def _told(running: _Running, *, is_new: bool = False) -> StartedService:
    terminal = running.live.terminal
    run = terminal.service or ServiceRun(user=running.place.user)
    output = "" if run.state is ServiceState.HEALTHY else _tail(running.live)
    return StartedService(
        name=terminal.label,
        run=run,
        port=terminal.port,
        stream=running.entry.stream,
        output=output,
        is_new=is_new,
    )


def _tail(live: LiveTerminal) -> str:
    return as_read(live.output(0, MAX_TAIL_BYTES).text).strip()


def _failed(one: _Start, failure: str) -> StartedService:
    run = ServiceRun(user=one.place.user, number=one.number, state=ServiceState.FAILED)
    run = run.model_copy(update={"failure": failure})
    return StartedService(name=one.name, run=run, port=one.service.port)


def _waits(one: _Start, lacking: str) -> StartedService:
    return _failed(one, f"not started: it needs {lacking}, which is not healthy")
