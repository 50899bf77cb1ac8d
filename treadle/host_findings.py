"""What `treadle doctor` finds of the hosts of a running engine."""

from typing import Any

from cli.core.client import Client
from cli.core.errors import CommandError
from domain.hosts.host import Host
from domain.hosts.silence import silent_for
from settings import Settings
from treadle.finding import Finding


def host_findings(settings: Settings) -> list[Finding]:
    """Return what is wrong with hosts that have threads; nothing where no engine answers."""
    client = Client(settings, patience=0)
    try:
        found: Any = client.get("/v1/hosts")["hosts"] if client.is_answered() else []
    except CommandError:
        return []
    return [_finding(Host(**host)) for host in found if host["silent"] and host["threads"]]


def _finding(host: Host) -> Finding:
    count = len(host.threads)
    threads = "1 thread waits" if count == 1 else f"{count} threads wait"
    return Finding(
        name=f"host {host.name}",
        is_well=False,
        found=f"{silent_for(host)}: {threads} for it",
        fix=f"start its worker, or give it up with `treadle hosts lost {host.name}`",
    )
