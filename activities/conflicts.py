"""Conflicts that a person resolves by hand: the worktree to do it in, and its commit."""

from temporalio import activity

from activities.claims import claim_of, first_claim_of
from activities.errors import translated
from activities.heartbeats import beating
from domain.core.ports import Fences, Journal
from domain.threads.contests.effects import ComposeCall, ComposedWork
from domain.threads.merging.calls import (
    CommitConflictCall,
    CommittedConflict,
    PrepareConflictCall,
    PreparedConflict,
)
from domain.threads.ports import Workspaces


class Conflicts:
    """Prepares merges for people and takes up what they made of them."""

    def __init__(self, journal: Journal, workspaces: Workspaces, fences: Fences) -> None:
        self._journal = journal
        self._workspaces = workspaces
        self._fences = fences

    @activity.defn
    async def prepare_conflict(self, call: PrepareConflictCall) -> PreparedConflict:
        """Have the worktree ready with the merge under way; one that is there stays as it is."""
        with translated():
            async with (
                beating(),
                self._fences.held(call.workspace.workspace_id, claim_of(call)),
            ):
                path = await self._workspaces.prepare(call.workspace)
        return PreparedConflict(path=str(path))

    @activity.defn
    async def commit_conflict(self, call: CommitConflictCall) -> CommittedConflict:
        """Commit the worktree, once per key, and look for conflict markers that are left."""
        workspace = call.workspace
        with translated():
            async with beating(), self._fences.held(workspace.workspace_id, claim_of(call)):
                snapshot = await self._workspaces.commit(workspace, call.commit)
                diff = await self._workspaces.diff(
                    workspace.repository, snapshot.base, snapshot.commit, workspace.beside
                )
                reference = await self._journal.put_text(diff)
        return CommittedConflict(snapshot=snapshot.model_copy(update={"diff_ref": reference}))

    @activity.defn
    async def compose_work(self, call: ComposeCall) -> ComposedWork:
        """Put files of other commits into a worktree and commit them, once per key.

        The run of the candidate makes the worktree anew; one that never starts leaves none behind.
        """
        workspace = call.workspace
        parts: dict[str, tuple[str, ...]] = {}
        for part in call.parts:
            parts[part.commit] = (*parts.get(part.commit, ()), *part.files)
        with translated():
            async with beating(), self._fences.held(workspace.workspace_id, first_claim_of(call)):
                await self._workspaces.put_together(workspace, parts)
                snapshot = await self._workspaces.commit(workspace, call.commit)
                diff = await self._workspaces.diff(
                    workspace.repository, snapshot.base, snapshot.commit, workspace.beside
                )
                reference = await self._journal.put_text(diff)
                await self._workspaces.release(workspace)
        return ComposedWork(snapshot=snapshot.model_copy(update={"diff_ref": reference}))
