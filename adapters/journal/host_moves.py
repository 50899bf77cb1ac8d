"""The moves of threads and flow runs from hosts that are lost or drain, each made once and sent until it is known."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Select, select

from adapters.journal.engines import Engines
from adapters.journal.hosts import HOSTS, hosts_as_they_stand, rows_of
from adapters.journal.placed import live_of
from adapters.journal.placements import PLACEMENTS, all_placed
from adapters.journal.presence import Presence
from domain.core.moves import HostMove
from domain.hosts.draining import Drain, drain_of, leaves
from domain.hosts.failover import Placed, can_move, given_up, next_host
from domain.hosts.host import Host, HostState


class HostMoves:
    """The moves, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._presence = Presence(engines)

    async def give_up(self, limit: float, *, has_hub: bool) -> list[Host]:
        """Declare hosts lost that are silent beyond a limit in seconds and hold what can go on elsewhere.

        Several may ask at the same time: each host is given up once, and found again while its worker beats.
        """
        ages = await self._presence.ages()

        def write(connection: Connection) -> list[Host]:
            rows = connection.execute(all_placed()).all()
            hosts = hosts_as_they_stand(rows_of(connection), rows, ages)
            movable = {p.host for p in live_of(connection, rows) if can_move(p, has_hub=has_hub)}
            lost = [host for host in given_up(hosts, limit) if host.host in movable]
            for host in lost:
                fields = {"state": HostState.LOST.value, "generation": host.generation + 1}
                connection.execute(HOSTS.update().where(HOSTS.c.host == host.host).values(fields))
            return lost

        quick = given_up(await self._standing(ages), limit)
        return await self._engines.write.run(write) if quick else []

    async def move_on(self, *, has_hub: bool) -> list[tuple[str, HostMove]]:
        """Move what lost hosts hold and others can take, and what drained ones left; returns all moves that were not sent."""
        if has_hub and await self._has(_STRANDED):
            await self._move(leaves)
        return await self.unsent() if await self._has(_UNSENT) else []

    async def release(self, host: str, idle: frozenset[str]) -> list[tuple[str, HostMove]]:
        """Move what is idle from a host that drains to others that can take it; returns all moves that were not sent."""
        await self._move(lambda placed, at: at.host == host and leaves(placed, at, idle))
        return await self.unsent() if await self._has(_UNSENT) else []

    async def report_work(self, host: str, at_work: tuple[str, ...]) -> None:
        """Write which threads and flow runs the worker of a host works for, if the host drains."""

        def write(connection: Connection) -> None:
            known = rows_of(connection).get(host)
            if known is not None and known.state is HostState.DRAINING:
                facts = known.facts.model_copy(update={"at_work": at_work})
                this = HOSTS.update().where(HOSTS.c.host == host)
                connection.execute(this.values(facts=facts.model_dump_json()))

        await self._engines.write.run(write)

    async def start(self, host: str) -> None:
        """Take a host back into service that was to drain until its worker starts again."""

        def write(connection: Connection) -> None:
            known = rows_of(connection).get(host)
            if known is None or not known.facts.is_until_start:
                return
            if known.state is HostState.DRAINING:
                this = HOSTS.update().where(HOSTS.c.host == host)
                connection.execute(this.values(state=HostState.UP.value))

        await self._engines.write.run(write)

    async def drains(self, *, has_hub: bool) -> dict[str, Drain]:
        """Return how far each host is that drains, by id."""
        if not await self._has(_DRAINING):
            return {}
        ages = await self._presence.ages()
        placed, hosts = await self._engines.lookups.run(lambda at: _standing(at, ages))
        found = {each.host: drain_of(each, placed, hosts, has_hub=has_hub) for each in hosts}
        return {host: drain for host, drain in found.items() if drain is not None}

    async def _move(self, is_leaving: Callable[[Placed, Host], bool]) -> None:
        ages = await self._presence.ages()
        planned = await self._engines.lookups.run(lambda at: _planned(at, ages, is_leaving))
        if planned:
            await self._engines.write.run(lambda at: [_move(at, *each) for each in planned])

    async def unsent(self) -> list[tuple[str, HostMove]]:
        """Return the moves whose threads and flow runs have not been told yet."""
        found = await self._engines.lookups.run(lambda at: at.execute(_UNSENT).all())
        return [
            (row.stream, HostMove(host=row.host, generation=row.generation, reason=_REASON))
            for row in found
        ]

    async def note_sent(self, stream: str, generation: int) -> None:
        """Note that a move was sent; a newer one stays to be sent."""
        this = PLACEMENTS.update().where(
            PLACEMENTS.c.stream == stream, PLACEMENTS.c.generation == generation
        )
        await self._engines.write.run(lambda at: at.execute(this.values(is_sent=True)))

    async def moves_to(self, stream: str, host: str) -> int:
        """Return with which of its moves a thread or flow run came to a host; 0 where it is elsewhere, or began here."""
        mine = select(PLACEMENTS.c.generation).where(
            PLACEMENTS.c.stream == stream, PLACEMENTS.c.host == host
        )
        return await self._engines.lookups.run(lambda at: at.scalar(mine) or 0)

    async def _has(self, query: Select[Any]) -> bool:
        first = query.limit(1)
        return await self._engines.lookups.run(lambda at: at.execute(first).first() is not None)

    async def _standing(self, ages: dict[str, float]) -> list[Host]:
        return await self._engines.lookups.run(
            lambda at: hosts_as_they_stand(rows_of(at), (), ages)
        )


_REASON = "its host is lost or drains"
_UNSENT = select(PLACEMENTS).where(PLACEMENTS.c.is_sent.is_(False))
_STRANDED = (
    select(PLACEMENTS.c.stream)
    .join(HOSTS, HOSTS.c.host == PLACEMENTS.c.host)
    .where(HOSTS.c.state.in_((HostState.LOST.value, HostState.DRAINING.value)))
)
_DRAINING = select(HOSTS.c.host).where(HOSTS.c.state == HostState.DRAINING.value)


def _standing(connection: Connection, ages: Mapping[str, float]) -> tuple[list[Placed], list[Host]]:
    rows = connection.execute(all_placed()).all()
    return live_of(connection, rows), hosts_as_they_stand(rows_of(connection), rows, ages)


def _planned(
    connection: Connection, ages: Mapping[str, float], is_leaving: Callable[[Placed, Host], bool]
) -> list[tuple[Placed, Host]]:
    """Return where each of what leaves its host goes on, spread over the hosts that can take it."""
    every, standing = _standing(connection, ages)
    hosts = {each.host: each for each in standing}
    found: list[tuple[Placed, Host]] = []
    for placed in every:
        at = hosts.get(placed.host)
        if at is None or not can_move(placed, has_hub=True) or not is_leaving(placed, at):
            continue
        target = next_host([*hosts.values()], placed)
        if target is not None:
            found.append((placed, target))
            threads = (*target.threads, placed.stream)
            hosts[target.host] = target.model_copy(update={"threads": threads})
    return found


def _move(connection: Connection, placed: Placed, target: Host) -> None:
    this = PLACEMENTS.update().where(
        PLACEMENTS.c.stream == placed.stream,
        PLACEMENTS.c.host == placed.host,
        PLACEMENTS.c.generation == placed.generation,
    )
    fields = {"host": target.host, "generation": placed.generation + 1, "is_sent": False}
    connection.execute(this.values(fields))
