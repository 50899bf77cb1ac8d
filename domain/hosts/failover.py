"""When a silent host is given up, and which of its work can go on elsewhere."""

from collections.abc import Sequence

from domain.core.remote_repositories import is_remote
from domain.core.wire import Wire
from domain.hosts.errors import NoHostError
from domain.hosts.host import Host, HostState, Labels
from domain.hosts.placement import ALIVE_SECONDS, HostWish, candidates


class Placed(Wire):
    """A thread or flow run, where it is, and how often it has moved.

    `folders` are its other repositories that only its host has.
    """

    stream: str
    host: str
    generation: int = 0
    project: str = ""
    labels: Labels = ()
    folders: tuple[str, ...] = ()


def can_move(placed: Placed, *, has_hub: bool) -> bool:
    """Tell whether work can go on at another host: its repositories have URLs, and its commits are on a hub."""
    return has_hub and is_remote(placed.project) and not placed.folders


def given_up(hosts: Sequence[Host], limit: float) -> list[Host]:
    """Return the hosts that are silent beyond a limit in seconds; none where the limit is 0, or no other is there.

    A worker that has ended well is not silent: its host is expected back.
    """
    answers = min(limit, ALIVE_SECONDS)
    if not any(h.state is HostState.UP and not h.is_silent(answers) for h in hosts):
        return []
    return [
        host
        for host in hosts
        if host.state is not HostState.LOST
        and host.silent_seconds is not None
        and host.silent_seconds > limit > 0
    ]


def next_host(hosts: Sequence[Host], placed: Placed) -> Host | None:
    """Return the host that work goes on at, None where none can take it now."""
    others = [host for host in hosts if host.host != placed.host]
    try:
        return candidates(others, HostWish(labels=placed.labels))[0]
    except NoHostError:
        return None
