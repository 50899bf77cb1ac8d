"""Trial merges of running work, so that a conflict is told before it happens."""

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.workspaces import Work
from domain.threads.merging.calls import TriedMerges, TryMergesCall
from domain.threads.ports import Workspaces


class Collisions:
    """Tries merges."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces

    @activity.defn
    async def try_merges(self, call: TryMergesCall) -> TriedMerges:
        """Merge on trial, which changes nothing, so it may be done again."""
        branch = Work(name=call.branch, commit=f"refs/heads/{call.branch}")
        with translated():
            async with beating():
                found = await self._workspaces.collisions(
                    call.repository, call.work, (branch, *call.others)
                )
        return TriedMerges(found=found)
