"""The branch of a thread: looked at for a person who reads its changes, and merged when one says so."""

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.changes import BranchChanges, Branches, ChangesQuery
from domain.core.conflict_lines import ConflictLines, ConflictQuery
from domain.core.contents import ContentQuery, FileContent
from domain.core.ports import Journal
from domain.threads.landing.calls import LandCall, Landed, Landings
from domain.threads.ports import Workspaces


class BranchComparison:
    """Compares branches on the host where they are; patches are kept in the journal."""

    def __init__(self, journal: Journal, workspaces: Workspaces, branches: Branches) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._branches = branches

    @activity.defn
    async def compare_branch(self, query: ChangesQuery) -> BranchChanges:
        """Return what a thread has changed; the same again where nothing changed meanwhile."""
        with translated():
            async with beating():
                found = await self._branches.compare(query)
                if found.commit == found.base:
                    return found
                patch = await self._workspaces.diff(
                    query.repository, found.base, found.commit, query.beside
                )
                if not patch:
                    return found
                reference = await self._journal.put_text(patch)
        return found.model_copy(update={"diff_ref": reference})

    @activity.defn
    async def show_conflict(self, query: ConflictQuery) -> ConflictLines:
        """Return the lines of a merge that conflicts; changes nothing, so it may run again."""
        with translated():
            async with beating():
                return await self._branches.conflict(query)

    @activity.defn
    async def read_content(self, query: ContentQuery) -> FileContent:
        """Return a file as it is in a commit; changes nothing, so it may run again."""
        with translated():
            async with beating():
                return await self._branches.content(query)


class BranchMerges:
    """Merges finished branches into people's own; may be asked for again."""

    def __init__(self, landings: Landings) -> None:
        self._landings = landings

    @activity.defn
    async def merge_branch(self, call: LandCall) -> Landed:
        """Merge a branch into its target; where it is in it already, nothing changes."""
        with translated():
            async with beating():
                return Landed(commit=await self._landings.land(call))
