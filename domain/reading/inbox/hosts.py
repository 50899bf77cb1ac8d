"""What of hosts waits for a person: those that fell silent while work waits for them."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from domain.core.text import counted
from domain.hosts.host import Host, HostState
from domain.hosts.silence import span
from domain.reading.inbox.item import InboxItem, InboxKind, line

_FEW = 2
_REASON = "no heartbeat from its worker. Bring the host back, or give it up: what is copied to a hub goes on elsewhere"


def host_items(hosts: Sequence[Host], limit: float, now: datetime) -> tuple[InboxItem, ...]:
    """Return the hosts that fell silent with work on them; `hosts` are all, each with the work to count.

    One that is alone has nothing elsewhere to go on: that its worker is gone shows as the engine's health.
    """
    if sum(host.state is not HostState.LOST for host in hosts) < _FEW:
        return ()
    names = Counter(host.name for host in hosts)
    return tuple(
        _item(host, host.host if names[host.name] > 1 else host.name, host.silent_seconds, now)
        for host in hosts
        if host.has_fallen_silent(limit) and host.silent_seconds is not None and host.threads
    )


def _item(host: Host, typed: str, silent_seconds: float, now: datetime) -> InboxItem:
    since = now - timedelta(seconds=silent_seconds)
    return InboxItem(
        item_id=f"host-{host.host}#{InboxKind.HOST_SILENT}",
        kind=InboxKind.HOST_SILENT,
        host=typed,
        workflow_id=f"host-{host.host}",
        title=line(host.name),
        subject=line(
            f"Host {host.name} is silent ({span(silent_seconds)}), {_waiting(host.threads)}"
        ),
        since=since.replace(microsecond=0),
        reason=_REASON,
    )


def _waiting(streams: Sequence[str]) -> str:
    runs = sum(stream.startswith("flow-") for stream in streams)
    threads = len(streams) - runs
    said = [counted(threads, "thread")] if threads else []
    said += [counted(runs, "flow run")] if runs else []
    return f"{' and '.join(said)} {'waits' if len(streams) == 1 else 'wait'}"
