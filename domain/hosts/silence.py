"""What people read of a host that does not answer, where they ask something of what is on it."""

from domain.hosts.host import SILENT_SECONDS, Host, HostState

_MINUTE = 60
_HOUR = 3600
_LONG_MINUTES = 120


def silence(host: Host, limit: float = SILENT_SECONDS) -> str:
    """Return the sentence for a host that is lost or silent, empty for one that answers."""
    later = "what it still holds of this is cleaned up when it returns"
    if host.state is HostState.LOST:
        return f"host {host.name} is lost, so nothing waits for it; {later}"
    if not host.is_silent(limit):
        return ""
    return (
        f"host {host.name} {silent_for(host)}: what needs it waits until it returns, all else takes effect now "
        f"and {later}. `treadle hosts lost {host.name}` gives it up"
    )


def silent_for(host: Host) -> str:
    """Return since when a host is silent, as part of a sentence."""
    if host.silent_seconds is None:
        return "has no worker"
    return f"has been silent for {span(host.silent_seconds)}"


def span(seconds: float) -> str:
    """Return how long a host is silent in its greatest unit: `3 s`, `6 min`, `4 h`."""
    if seconds < _MINUTE:
        return f"{int(seconds)} s"
    minutes = int(seconds // _MINUTE)
    return f"{minutes} min" if minutes < _LONG_MINUTES else f"{int(seconds // _HOUR)} h"


def heartbeat(seconds: float | None) -> str:
    """Return the age of a host's last heartbeat; a worker that has ended or never started has none."""
    return "none" if seconds is None else f"{span(seconds)} ago"
