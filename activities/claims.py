"""The claim that a running activity has to its workspace."""

from collections.abc import Iterator

from temporalio import activity

from domain.core.effects import Effect
from domain.core.workspaces import Claim

MAX_ATTEMPTS = 1_000_000
"""More attempts than an activity has on one host."""

MAX_EARLIER_ATTEMPTS = 50
"""Of one host: so many are looked at for what they left in the journal."""


def attempt_of(call: Effect) -> int:
    """Return the number of the running attempt; those on a later host have larger numbers."""
    return call.generation * MAX_ATTEMPTS + activity.info().attempt


def attempts_upto(newest: int) -> Iterator[int]:
    """Yield attempts from the newest one down, with those that may have been on hosts before."""
    generation, number = divmod(newest, MAX_ATTEMPTS)
    for at in range(generation, -1, -1):
        last = number if at == generation else MAX_EARLIER_ATTEMPTS
        for one in range(last, max(0, last - MAX_EARLIER_ATTEMPTS), -1):
            yield at * MAX_ATTEMPTS + one


def first_claim_of(call: Effect) -> Claim:
    """Return the claim of an attempt at what a run begins with: older than all that the run does there itself.

    The call's own order tells which of several calls is the newest.
    """
    return Claim(order=0, attempt=call.order * MAX_ATTEMPTS + activity.info().attempt)


def claim_of(call: Effect, *, is_release: bool = False) -> Claim:
    """Return the claim of the running attempt; the release of a workspace is newer than all else."""
    return Claim(
        order=call.order, grant=call.grant, attempt=attempt_of(call), is_release=is_release
    )
