"""What a worker does about hosts: it watches over the others, and drains its own."""

from adapters.acp.runner import AcpAgents
from adapters.host import host_id
from adapters.host_drain import HostDrain
from adapters.host_failover import HostFailover
from worker_adapters import Base


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
