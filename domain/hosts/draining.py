"""How far a host is that drains: what still works there, what has yet to move, and what stays."""

from collections.abc import Collection, Sequence

from domain.core.remote_repositories import is_remote
from domain.core.wire import Wire
from domain.hosts.failover import Placed, can_move, next_host
from domain.hosts.host import Host, HostState
from domain.hosts.placement import ALIVE_SECONDS


class Staying(Wire):
    """A thread or flow run that stays on a host that drains, and why."""

    stream: str
    reason: str


class Drain(Wire):
    """How far a host is: it has drained once nothing is at work there, and nothing is left that can move.

    `is_answering` is False while its worker has not said what is at work there.
    """

    is_answering: bool = True
    at_work: tuple[str, ...] = ()
    moving: tuple[str, ...] = ()
    staying: tuple[Staying, ...] = ()

    @property
    def is_drained(self) -> bool:
        """Whether its worker can be stopped: no turn is cut by that, and what stays waits for its return."""
        return self.is_answering and not self.at_work and not self.moving

    def of(self, streams: Collection[str]) -> "Drain":
        """Return what it is of some threads and flow runs."""
        return Drain(
            is_answering=self.is_answering,
            at_work=tuple(stream for stream in self.at_work if stream in streams),
            moving=tuple(stream for stream in self.moving if stream in streams),
            staying=tuple(each for each in self.staying if each.stream in streams),
        )


def reason_to_stay(placed: Placed, hosts: Sequence[Host], *, has_hub: bool) -> str:
    """Return why work cannot go on at another host now, empty where it can."""
    if not is_remote(placed.project):
        return f"its repository is the folder {placed.project} on this host"
    if placed.folders:
        return f"its other repository is the folder {placed.folders[0]} on this host"
    if not can_move(placed, has_hub=has_hub):
        return "there is no hub with its commits; see the setting TREADLE_HUB_URL"
    if next_host(hosts, placed) is None:
        labels = f" with the labels {', '.join(placed.labels)}" if placed.labels else ""
        return f"no other host{labels} is up and answers"
    return ""


def drain_of(
    host: Host, placed: Sequence[Placed], hosts: Sequence[Host], *, has_hub: bool
) -> Drain | None:
    """Return how far a host is, None for one that does not drain; `placed` is all that is not over."""
    if host.state is not HostState.DRAINING:
        return None
    here = [each for each in placed if each.host == host.host]
    reasons = {each.stream: reason_to_stay(each, hosts, has_hub=has_hub) for each in here}
    has_ended = host.silent_seconds is None
    return Drain(
        is_answering=has_ended or (host.at_work is not None and not host.is_silent(ALIVE_SECONDS)),
        at_work=() if has_ended else host.at_work or (),
        moving=tuple(stream for stream, reason in reasons.items() if not reason),
        staying=tuple(Staying(stream=s, reason=reason) for s, reason in reasons.items() if reason),
    )


def leaves(placed: Placed, host: Host, idle: frozenset[str] = frozenset()) -> bool:
    """Tell whether work moves from its host now: that is lost, has ended while it drains, or the work is idle.

    Only the worker of a host knows what is `idle` there.
    """
    if host.state is HostState.LOST:
        return True
    has_ended = host.silent_seconds is None
    return host.state is HostState.DRAINING and (has_ended or placed.stream in idle)
