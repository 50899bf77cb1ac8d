"""Trial merges of running work, so that a conflict is told before it happens."""

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.workspaces import Collision, Work
from domain.threads.merging.calls import TriedMerges, TryAllMergesCall, TryMergesCall
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

    @activity.defn
    async def try_all_merges(self, call: TryAllMergesCall) -> TriedMerges:
        """Merge each piece of work on trial with those before it and after it, each pair once."""
        branch = Work(name=call.branch, commit=f"refs/heads/{call.branch}")
        named = {work.name for work in call.works}
        others = tuple(other for other in call.others if other.name not in named)
        found: list[Collision] = []
        with translated():
            async with beating():
                for number, work in enumerate(call.works):
                    rest = (branch, *others, *call.works[number + 1 :])
                    found += await self._workspaces.collisions(call.repository, work, rest)
        return TriedMerges(found=tuple(found))
