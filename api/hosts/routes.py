"""Hosts: how each stands, and what people decide about it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from adapters.readings.seen_hosts import seen_hosts
from api.core.bodies import CommandBody
from api.core.dependencies import SettingsDep, ThreadLists
from api.core.permissions import OF_PROJECTS, OF_SERVER, PermitsDep
from domain.hosts.draining import Drain
from domain.hosts.host import Host, HostState
from domain.hosts.work import MOST_LINES, HostLines

router = APIRouter(tags=["hosts"], prefix="/hosts", dependencies=[OF_PROJECTS])

Name = Annotated[str, Path(min_length=1, max_length=64, description="Name or id of a host")]

UntilStart = Annotated[
    bool, Query(description="Drain a host only until its worker starts again, as after an upgrade")
]


class DrainView(Drain):
    """How far a host is that drains; once it has `drained`, its worker can be stopped."""

    drained: bool


class HostView(Host):
    """A host, whether its worker is silent by the setting `host.silent_seconds`, and how far it is with draining.

    `turns` are the tasks and conversations of its threads that are at work now.
    """

    silent: bool = False
    turns: int = 0
    drain: DrainView | None = None


class HostList(BaseModel):
    """All hosts by name."""

    hosts: list[HostView]


class HostDecision(StrEnum):
    """What a person decides about a host."""

    CORDON = "cordon"
    UNCORDON = "uncordon"
    DRAIN = "drain"
    LOST = "lost"


_STATES = {
    HostDecision.CORDON: HostState.CORDONED,
    HostDecision.UNCORDON: HostState.UP,
    HostDecision.DRAIN: HostState.DRAINING,
    HostDecision.LOST: HostState.LOST,
}


@router.get("")
async def hosts(journal: ThreadLists, settings: SettingsDep, permits: PermitsDep) -> HostList:
    """List hosts with their labels, slots and agents, and with the threads and repositories of your projects."""
    every = await journal.hosts.every()
    drains = await journal.moves.drains(has_hub=settings.hub_url is not None)
    every = await seen_hosts(every, journal, await permits.visible())
    turns = await journal.host_work.turns()
    limit = settings.host.silent_seconds
    return HostList(hosts=[_view(host, limit, drains.get(host.host), turns) for host in every])


@router.get("/{name}/work")
async def host_work(name: Name, journal: ThreadLists, permits: PermitsDep) -> HostLines:
    """List the threads and flow runs of your projects that are open on a host, those at work first."""
    host = await journal.hosts.named(name)
    found = await journal.host_work.on(host.host, await permits.visible())
    return HostLines(lines=tuple(found[:MOST_LINES]), total=len(found))


@router.post("/{name}/{decision}", dependencies=[OF_SERVER])
async def decide_host(
    name: Name,
    decision: HostDecision,
    _body: CommandBody,
    journal: ThreadLists,
    settings: SettingsDep,
    *,
    until_start: UntilStart = False,
) -> HostView:
    """Cordon, uncordon or drain a host, or give it up for lost.

    A cordoned host gets no new threads. On a draining one no turn begins, either, and what can go on at another host
    does so once its turns have ended; `drain` says what has yet to move and what stays. The worker of a lost
    one ends, and does not start again until the host is uncordoned; what can go on at another host does.
    """
    state = _STATES[decision]
    is_until_start = until_start and state is HostState.DRAINING
    host = await journal.hosts.decide(name, state, is_until_start=is_until_start)
    drains = await journal.moves.drains(has_hub=settings.hub_url is not None)
    turns = await journal.host_work.turns()
    return _view(host, settings.host.silent_seconds, drains.get(host.host), turns)


def _view(host: Host, limit: float, drain: Drain | None, turns: Mapping[str, int]) -> HostView:
    seen = drain and DrainView(**dict(drain.of(host.threads)), drained=drain.is_drained)
    at_work = sum(turns.get(stream, 0) for stream in host.threads)
    return HostView(**dict(host), silent=host.is_silent(limit), drain=seen, turns=at_work)
