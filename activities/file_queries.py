"""Finding files of a worktree, for a person who types."""

from temporalio import activity

from activities.errors import translated
from activities.heartbeats import beating
from domain.core.file_queries import FileQuery, FoundFiles, fitting
from domain.threads.ports import Workspaces


class FileQueries:
    """Looks into worktrees on the host where they are."""

    def __init__(self, workspaces: Workspaces) -> None:
        self._workspaces = workspaces

    @activity.defn
    async def find_files(self, query: FileQuery) -> FoundFiles:
        """Return the files that fit, or the place of one; changes nothing, so it may run again."""
        with translated():
            async with beating():
                if query.place is not None:
                    return FoundFiles(
                        place=await self._workspaces.place(query.workspace, query.place)
                    )
                paths = await self._workspaces.files(query.workspace)
        return fitting(paths, query.text, query.limit)
