"""The hosts of a journal, and which of them each thread was placed on."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Integer, Table, Text, select
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.engines import Engines
from adapters.journal.faults import journal_error
from adapters.journal.placements import PLACEMENTS, all_placed, is_live, note, put
from adapters.journal.presence import ALIVE_SECONDS, Presence
from adapters.journal.tables import METADATA, NAME
from domain.core.errors import ConflictError
from domain.hosts.errors import HostLostError
from domain.hosts.host import Host, HostFacts, HostState
from domain.hosts.joining import taken_by
from domain.hosts.placement import HostWish, candidates, named

HOSTS = Table(
    "hosts",
    METADATA,
    Column("host", NAME, primary_key=True),
    Column("facts", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("generation", Integer, nullable=False),
)
"""`facts` is the JSON of what its worker said when it started."""

_NEVER = 1e9
"""A worker that has ended leaves a heartbeat of 1970 behind."""


class _Row(NamedTuple):
    facts: HostFacts
    state: HostState
    generation: int


class Hosts:
    """The hosts, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._presence = Presence(engines)

    async def register(self, facts: HostFacts) -> int:
        """Write what a worker says of its host; returns the host's generation.

        Raises:
            HostLostError: It was declared lost, or another machine works under its id.
        """
        ages = await self._presence.ages()

        def write(connection: Connection) -> int:
            known = rows_of(connection).get(facts.host)
            if known is None:
                _insert(connection, facts)
                return 1
            refuse_lost(facts.host, known.facts.name, known.state)
            kept = {"at_work": known.facts.at_work, "is_until_start": known.facts.is_until_start}
            fields = {"facts": facts.model_copy(update=kept).model_dump_json()}
            is_other = known.facts.machine not in {"", facts.machine}
            age = ages.get(facts.host)
            if is_other and age is not None and abs(age) < ALIVE_SECONDS:
                raise HostLostError(
                    f"another machine works as host {facts.host} ({known.facts.name}): its data folder was "
                    "copied. Remove `host-id` from this copy's data folder to join as a new host"
                )
            connection.execute(HOSTS.update().where(HOSTS.c.host == facts.host).values(fields))
            return known.generation

        return await self._engines.write.run(write)

    async def is_still(self, host: str, generation: int) -> bool:
        """Tell whether a host is of this generation and not lost."""
        row = next(iter(await self._read(select(HOSTS).where(HOSTS.c.host == host))), None)
        return row is None or (row.generation == generation and row.state != HostState.LOST)

    async def every(self) -> list[Host]:
        """Return all hosts as they stand, by name."""
        ages = await self._presence.ages()
        rows = {row.host: _row(row) for row in await self._read(select(HOSTS))}
        placed = await self._read(all_placed())
        return hosts_as_they_stand(rows, placed, ages)

    async def named(self, name: str) -> Host:
        """Return the host of a name or id.

        Raises:
            UnknownHostError: There is none, or several have the name.
        """
        return named(await self.every(), name)

    async def name_of(self, host: str) -> str:
        """Return the name of the host with an id; the id where it has never registered."""
        row = next(iter(await self._read(select(HOSTS).where(HOSTS.c.host == host))), None)
        return _row(row).facts.name if row else host

    async def host_of(self, stream: str) -> Host | None:
        """Return the host that a thread or flow run was placed on."""
        host = await self.id_of(stream)
        return next((each for each in await self.every() if each.host == host), None)

    async def standing(self, stream: str) -> Host | None:
        """Return the host that a thread or flow run was placed on, without what else is there."""
        host = await self.id_of(stream)
        rows = await self._read(select(HOSTS).where(HOSTS.c.host == host)) if host else ()
        found = {row.host: _row(row) for row in rows}
        ages = await self._presence.ages() if found else {}
        return next(iter(hosts_as_they_stand(found, (), ages)), None)

    async def decide(self, name: str, state: HostState, *, is_until_start: bool = False) -> Host:
        """Change what is decided about a host; one that becomes lost gets a higher generation.

        What `is_until_start` drains until its worker starts again.

        Raises:
            UnknownHostError: There is none, or several have the name.
            ConflictError: It is to be cordoned or drained, and is lost.
        """
        host = await self.named(name)

        def write(connection: Connection) -> None:
            known = rows_of(connection)[host.host]
            if known.state is HostState.LOST and state in {HostState.CORDONED, HostState.DRAINING}:
                raise ConflictError(
                    f"host {host.name} is lost: `treadle hosts uncordon {host.name}` takes it back first"
                )
            becomes_lost = state is HostState.LOST and known.state is not HostState.LOST
            fields = {"state": state.value, "generation": known.generation + becomes_lost}
            at_work = known.facts.at_work if state is known.state else None
            said = {"at_work": at_work, "is_until_start": is_until_start}
            fields["facts"] = known.facts.model_copy(update=said).model_dump_json()
            connection.execute(HOSTS.update().where(HOSTS.c.host == host.host).values(fields))

        await self._engines.write.run(write)
        return await self.named(host.host)

    async def place(self, stream: str, wish: HostWish, agent: str = "") -> list[Host]:
        """Return the hosts that may take a thread or flow run, the best one first, which is noted.

        The one that was noted before stays the first one while it can.

        Raises:
            UnknownHostError: The one that is wished for does not exist.
            NoHostError: None can; says for each one why not.
        """
        ages = await self._presence.ages()

        def choose(connection: Connection) -> list[Host]:
            placed = connection.execute(all_placed()).all()
            fitting = candidates(
                hosts_as_they_stand(rows_of(connection), placed, ages), wish, agent
            )
            mine = select(PLACEMENTS.c.host).where(PLACEMENTS.c.stream == stream)
            earlier = connection.scalar(mine)
            fitting.sort(key=lambda host: host.host != earlier)
            put(connection, stream, fitting[0].host, wish)
            return fitting

        return await self._engines.write.run(choose)

    async def note(self, stream: str, host: str, labels: Sequence[str] = ()) -> None:
        """Note where a thread or flow run is, and labels besides those that were asked for."""
        await self._engines.write.run(lambda connection: note(connection, stream, host, labels))

    async def id_of(self, stream: str) -> str:
        """Return the id of the host that a thread or flow run is on, empty where that is not known."""
        found = select(PLACEMENTS.c.host).where(PLACEMENTS.c.stream == stream)
        return next((row.host for row in await self._read(found)), "")

    async def _read(self, query: Any) -> Sequence[Any]:
        try:
            async with self._engines.read.connect() as connection:
                return (await connection.execute(query)).all()
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error


def fence_of(host: str, generation: int) -> Callable[[Connection], None]:
    """Return what refuses the writes of a host in their own transaction, once another generation began."""
    mine = select(HOSTS.c.state, HOSTS.c.generation).where(HOSTS.c.host == host)

    def check(connection: Connection) -> None:
        row = connection.execute(mine).first()
        if row is not None and (row.generation != generation or row.state == HostState.LOST):
            raise HostLostError(
                f"host {host} was declared lost: what it still does is written nowhere, and its work goes on elsewhere"
            )

    return check


def note_joined(connection: Connection, facts: HostFacts) -> None:
    """Write that a host has joined, in a transaction of the connection; its worker says the rest when it starts.

    Raises:
        HostNameTakenError: Another host has its name.
        HostLostError: It was declared lost.
    """
    rows = rows_of(connection)
    taken_by(facts.name, facts.host, {host: row.facts.name for host, row in rows.items()})
    if (known := rows.get(facts.host)) is not None:
        refuse_lost(facts.host, known.facts.name, known.state)
        return
    _insert(connection, facts)


def _insert(connection: Connection, facts: HostFacts) -> None:
    fields = {"host": facts.host, "facts": facts.model_dump_json()}
    fresh = {**fields, "state": HostState.UP.value, "generation": 1}
    connection.execute(HOSTS.insert().values(fresh))


def refuse_lost(host: str, name: str, state: HostState) -> None:
    """Refuse to work on a host that was declared lost.

    Raises:
        HostLostError: It was.
    """
    if state is HostState.LOST:
        raise HostLostError(
            f"host {name} ({host}) was declared lost, and its work was given up. Nothing in its data folder "
            f"was removed. `treadle hosts uncordon {name}` takes it back; then start it again"
        )


def rows_of(connection: Connection) -> dict[str, _Row]:
    """Return all hosts as they are written down."""
    return {row.host: _row(row) for row in connection.execute(select(HOSTS))}


def _row(row: Any) -> _Row:
    return _Row(HostFacts(**json.loads(row.facts)), HostState(row.state), row.generation)


def hosts_as_they_stand(
    rows: Mapping[str, _Row], placed: Sequence[Any], ages: Mapping[str, float]
) -> list[Host]:
    """Return hosts with what was placed on each and how long ago its worker was alive, by name."""
    found = list[Host]()
    for host, row in rows.items():
        here = [place for place in placed if place.host == host]
        live = tuple(place.stream for place in here if is_live(place))
        age = ages.get(host)
        found.append(
            Host(
                **row.facts.model_dump(),
                state=row.state,
                generation=row.generation,
                silent_seconds=None if age is None or age > _NEVER else round(abs(age), 1),
                threads=live,
                repositories=tuple(sorted({p.project for p in here if p.project})),
            )
        )
    return sorted(found, key=lambda each: (each.name, each.host))
