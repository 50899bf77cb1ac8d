"""Opening a repository on a host that has it: the hosts that may take it are asked one after the other."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any

from temporalio.exceptions import ApplicationError

from activities.placement import Placement
from domain.core.errors import RepositoryError
from domain.core.ids import host_queue
from domain.hosts.calls import ChosenHost, PlaceCall
from domain.hosts.errors import HostSilentError, NoHostError
from workflows import options
from workflows.opening import A, C, OpeningLoop, R

SOON = timedelta(seconds=15)
"""How long a host is waited for where another one can take it."""

_ELSEWHERE = frozenset(
    {RepositoryError.type, "unknown_agent", HostSilentError.type, NoHostError.type}
)
"""Refusals of one host that another need not have."""


async def open_somewhere(
    loop: OpeningLoop[Any, Any], place: PlaceCall, method: Callable[[A, C], Awaitable[R]], call: C
) -> R | None:
    """Return what the first host found that can take it; None where all refused, or it was given up."""
    chosen = await loop.opening(Placement.choose_hosts, place)
    if chosen is None:
        return None
    refused: dict[str, ApplicationError] = {}
    for number, host in enumerate(chosen.hosts):
        is_last = number + 1 == len(chosen.hosts)
        patience = chosen.patience if is_last else SOON
        how = options.on(host_queue(host.host), options.GIT)
        if len(chosen.hosts) > 1 or place.wish.name:
            how = options.within(patience, how)
        found = await loop.attempt(method, call, how)
        if not isinstance(found, ApplicationError):
            return found
        refused[host.name] = found = _named(found, host, patience)
        if found.type not in _ELSEWHERE:
            break
    loop.refuse(_refusal(refused))
    return None


def _named(error: ApplicationError, host: ChosenHost, patience: timedelta) -> ApplicationError:
    if error.type != HostSilentError.type:
        return error
    seconds = int(patience.total_seconds())
    words = f"host {host.name} did not begin with it within {seconds} s; see `treadle hosts`"
    return ApplicationError(words, type=HostSilentError.type, non_retryable=True)


def _refusal(refused: dict[str, ApplicationError]) -> ApplicationError:
    """Return the one refusal; of several hosts' one that says what each said."""
    *_, last = refused.values()
    if len(refused) == 1 or last.type not in _ELSEWHERE:
        return last
    kinds = {error.type for error in refused.values()}
    kind = kinds.pop() if len(kinds) == 1 else NoHostError.type
    each = "; ".join(f"{name}: {error.message}" for name, error in refused.items())
    return ApplicationError(f"no host can do this. {each}", type=kind, non_retryable=True)
