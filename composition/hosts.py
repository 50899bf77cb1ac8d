"""What a worker does about hosts: it says what its own is, watches over the others, and drains its own."""

import platform
from importlib.metadata import version

from adapters.acp.runner import AcpAgents
from adapters.agent_programs.statuses import AgentStatuses
from adapters.host import host_id, machine_of
from adapters.host_drain import HostDrain
from adapters.host_failover import HostFailover
from composition.base import Base
from domain.hosts.host import HostFacts, label_list


def failover_of(base: Base) -> HostFailover:
    """Return the watch of this worker over other hosts."""
    limit, has_hub = base.settings.host.lost_seconds, base.copies is not None
    return HostFailover(base.journal.moves, base.client, limit, has_hub)


def drain_of_host(base: Base, agents: AcpAgents) -> HostDrain:
    """Return what drains this host when people say so; waits of its turns end then."""
    here = host_id(base.settings.data_dir)
    ends = (agents.end_waits, agents.allow_waits)
    is_copied = base.copies.has_all if base.copies else None
    return HostDrain(here, failover_of(base), base.turns, is_copied, *ends)


def facts_of(base: Base) -> HostFacts:
    """Return what this host says of itself now."""
    settings, known = base.settings, AgentStatuses(base.host)
    statuses = [known.of(found) for found in base.profiles.found()]
    return HostFacts(
        host=host_id(settings.data_dir),
        name=settings.host.name or platform.node() or "host",
        labels=label_list(settings.host.labels),
        slots=settings.max_turns,
        agents=tuple(sorted({each.name for each in statuses if each.is_ready})),
        version=version("treadle"),
        machine=machine_of(settings.data_dir),
    )
