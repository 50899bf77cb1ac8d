"""The claim that a running activity has to its workspace."""

from temporalio import activity

from domain.core.effects import Effect
from domain.core.workspaces import Claim


def claim_of(call: Effect, *, is_release: bool = False) -> Claim:
    """Return the claim of the running attempt; the release of a workspace is newer than all else."""
    return Claim(
        order=call.order, grant=call.grant, attempt=activity.info().attempt, is_release=is_release
    )
