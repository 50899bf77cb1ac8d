"""The `Workspaces` port on git: Treadle's own worktrees and refs, and nothing of the user's.

Every operation can be killed anywhere and called again: objects come first, refs move in one
transaction, folders are removed last.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Sequence
from pathlib import Path

from adapters.files.state_files import write_atomic
from adapters.git.carry_over import CarryOver
from adapters.git.checkouts import CleanCheckouts
from adapters.git.commands import Git
from adapters.git.commits import Commits
from adapters.git.edits import Edits
from adapters.git.fitting import WorktreeFitting
from adapters.git.foreign_refs import ForeignRefs
from adapters.git.index import Index
from adapters.git.listing import listed
from adapters.git.merges import Merges
from adapters.git.new_branches import NewBranches
from adapters.git.patches import Patches
from adapters.git.pending_merges import PendingMerges
from adapters.git.places import place_in
from adapters.git.repositories import Repositories
from adapters.git.salvage import Salvage
from adapters.git.spares import Spares
from adapters.git.trial_merges import TrialMerges
from adapters.git.turn_merges import TurnMerges
from adapters.git.worktree import Handed, Worktree, refuse_missing
from adapters.git.worktrees import Worktrees
from adapters.processes.spawner import Spawner
from adapters.setup.environments import RecipeEnvironments
from adapters.setup.layers import Layers
from adapters.setup.means import SetUpMeans
from adapters.setup.set_up import WorkspaceSetUp
from domain.core.errors import RepositoryError
from domain.core.ids import ThreadId
from domain.core.suggestions import Suggestion
from domain.core.workspaces import (
    BesideRepository,
    Collision,
    CommitSpec,
    MergeCandidate,
    MergeResult,
    RepositoryFacts,
    Snapshot,
    Work,
    WorkspaceSpec,
)
from domain.threads.calls import SettleCall

logger = logging.getLogger(__name__)

Tell = Callable[[ThreadId, str], Awaitable[None]]
"""Tells the people of a thread of something that they may fix."""

CACHES = ("__pycache__/", "node_modules/", ".DS_Store")
"""What no commit of Treadle's takes up, even where the repository does not ignore it."""


class GitWorkspaces:
    """Worktrees under the data folder."""

    def __init__(
        self,
        spawner: Spawner,
        data_dir: Path,
        litter: Sequence[str] = (),
        tell: Tell | None = None,
        making: SetUpMeans | None = None,
    ) -> None:
        """Make the port.

        `litter` are patterns, as in .gitignore, of what agents leave behind; `tell` is given what the people of a thread
        should know, else the log has it. `making` is what recipes are carried out with; without it workspaces are git's.
        """
        self._tell = tell or _log
        ignored = data_dir / "litter"
        write_atomic(ignored, "\n".join((*CACHES, *litter, "")))
        self._git = Git(spawner, ignored)
        self._repositories = Repositories(self._git, data_dir)
        self.spares = Spares(self._git, self._repositories, data_dir)
        self._worktrees = Worktrees(self._git, self._repositories, data_dir, self.spares.take)
        self.layers = Layers(self._git, self._repositories, self._worktrees, data_dir)
        self.set_ups: WorkspaceSetUp | None = None
        self.environments: RecipeEnvironments | None = None
        if making is not None:
            self.set_ups = WorkspaceSetUp(self._git, self._repositories, self.layers, making)
            self.environments = RecipeEnvironments(self._git, self._worktrees, making, data_dir)
            self._worktrees.undress = self.set_ups.undress
        index = Index(self._git)
        self._fitting = WorktreeFitting(self._git, spawner, index, making)
        self._worktrees.fitting, self._worktrees.dress = self._fitting, self._dress
        self._commits = Commits(self._git, index)
        self._edits = Edits(self._git, self._commits)
        self._salvage = Salvage(self._git, self._commits, index)
        self._merges = Merges(self._git, self._commits, self._worktrees)
        self._foreign = ForeignRefs(self._git, data_dir)
        used = (CarryOver(self._git, is_shown_elsewhere=spawner.has_namespace), self.spares.reuse)
        self.checkouts = CleanCheckouts(self._git, self._worktrees, self._commits, *used)
        self._pending = PendingMerges(self._git)
        self._turns = TurnMerges(self._git, self._salvage, self._pending, self._fitting)
        self._trials, self._patches = TrialMerges(self._git), Patches(self._git, self._repositories)

    async def keep_sweeping(self) -> None:
        """Delete what was thrown away before, and from time to time spares that are not used."""
        sweepers = filter(None, (self.spares, self.layers, self.set_ups))
        sweeps = (each.keep_sweeping() for each in sweepers)
        await asyncio.gather(self._worktrees.trash.empty(), *sweeps)

    async def inspect(self, repository: str) -> RepositoryFacts:
        """Look at a folder; see the port."""
        return await self._repositories.inspect(repository)

    async def create_branch(self, repository: str, branch: str, base: str) -> str:
        """Make a branch and return the commit of its base; one that exists is left where it is.

        Raises:
            RepositoryError: There is no such base, or there cannot be a branch of that name.
        """
        parts = (self._git, self._repositories, self._worktrees, self._commits, self.spares)
        return await NewBranches(*parts).create(repository, branch, base)

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        """Have the worktree ready, made or found; fixes what a killed attempt left.

        One that lost its git metadata is saved, made again, and gets its files back.
        """
        worktree = await self._worktrees.find(spec)
        await self._foreign.note(worktree, spec)
        if not worktree.is_lost:
            worktree = await self._turns.with_merge(await self._worktrees.prepare(spec), spec)
            self.spares.fill(worktree.repository, spec.base)
            return worktree.path
        rescued = await self._salvage.rescue(worktree, spec)
        await self._worktrees.discard(worktree)
        worktree = await self._worktrees.prepare(spec)
        await self._git.run(worktree.place, "read-tree", "-m", "-u", "HEAD", rescued, is_long=True)
        await self._fitting.complete(worktree)
        return worktree.path

    async def _dress(self, worktree: Worktree, spec: WorkspaceSpec) -> None:
        """Give a worktree that was just made what its recipe says."""
        if not spec.recipe or self.set_ups is None:
            return
        source = await self.checkouts.source_of(worktree, spec)
        await self.set_ups.dress(worktree, spec, source.path)

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        """Commit all changes onto the worktree's branch and the checkpoint ref, once per key."""
        worktree = await self._worktrees.find(spec)
        refuse_missing(worktree)
        snapshot = await self._commits.commit(worktree, spec, commit)
        worktree.mark(Handed.KEPT)
        await self._tell_moved(worktree, spec)
        made = MergeCandidate(commit=snapshot.commit, tree=snapshot.tree)
        unresolved = await self._pending.unresolved(
            worktree.repository.place, made, snapshot.base, spec.merging
        )
        return snapshot.model_copy(update={"unresolved": unresolved})

    async def collisions(
        self, repository: str, work: Work, others: Sequence[Work]
    ) -> tuple[Collision, ...]:
        """Return with which of the others a piece of work would conflict if it were merged now."""
        found = await self._repositories.find(repository)
        return await self._trials.collisions(found, work, others)

    async def diff(
        self, repository: str, base: str, commit: str, beside: Sequence[BesideRepository] = ()
    ) -> str:
        """Return the patch between two commits; beyond 4 MiB its middle is cut, and marked."""
        return await self._patches.between(repository, base, commit, beside)

    async def check_out(self, spec: WorkspaceSpec, commit: str) -> Path:
        """Have the worktree hold exactly a commit's files; what else was in it is on a hidden ref.

        Head and branch stay where they are, ignored files stay as they are. A folder that is gone
        is made again: what is asked for is on a commit.
        """
        worktree = await self._worktrees.find(spec)
        if worktree.is_torn_away:
            worktree.mark(Handed.KEPT)
        worktree = await self._worktrees.prepare(spec)
        if await self._commits.is_at(worktree, commit):
            return worktree.path
        await self._salvage.keep(worktree)
        await self._commits.take_files_of(worktree, commit)
        return worktree.path

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        """Return which files of a commit the worktree does not hold as they are in it."""
        worktree = await self._worktrees.find(spec)
        refuse_missing(worktree)
        return await self._commits.altered(worktree, commit)

    async def edit(
        self, spec: WorkspaceSpec, commit: str, suggestions: Sequence[Suggestion]
    ) -> None:
        """Have the worktree hold a commit's files with suggested lines in them; see the port."""
        await self._edits.apply(await self._made(spec), commit, suggestions)

    async def take_back(
        self, spec: WorkspaceSpec, commit: str, suggestions: Sequence[Suggestion], key: str
    ) -> None:
        """Have a worktree and its branch as they were before lines were applied; see the port."""
        await self._edits.take_back(await self._made(spec), spec.branch, commit, suggestions, key)

    async def _made(self, spec: WorkspaceSpec) -> Worktree:
        worktree = await self._worktrees.find(spec)
        if not worktree.is_made:
            await self.prepare(spec)
        return worktree

    async def files(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        """Return the files that git knows in a worktree or would take up; of its base where it is not."""
        return await listed(self._git, await self._worktrees.find(spec), spec)

    async def place(self, spec: WorkspaceSpec, file: str) -> str:
        """Return where a file of a worktree is; see the port."""
        return place_in(await self._worktrees.find(spec), file)

    async def discard(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        """Throw away what changed in a worktree, and itself: the next is as the first was; returns which files."""
        worktree = await self._worktrees.find(spec)
        files = await self._commits.changed(worktree, spec.base) if worktree.is_made else ()
        if files:
            await self.release(spec)
        return files

    async def settle(
        self, call: SettleCall, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        """Merge an accepted commit into the thread's branch (once per key), remove the worktree.

        A repository or a branch that is gone is a failed merge: no retry could fix it. A merge
        that would make a tree that is not `verified` is returned as a candidate; then the worktree
        stays.
        """
        try:
            result = await self._merge(call, verified)
        except RepositoryError as error:
            result = MergeResult(failure=error.message)
        if isinstance(result, MergeResult):
            await self._drop_candidate(call, verified)
            await self.release(call.workspace)
        return result

    async def _merge(
        self, call: SettleCall, verified: Collection[str] | None
    ) -> MergeResult | MergeCandidate:
        if call.commit is None:
            return MergeResult()
        repository = await self._repositories.find(call.workspace.repository)
        async with self._repositories.lock(repository):
            return await self._merges.merge(repository, call, call.commit, verified)

    async def _drop_candidate(self, call: SettleCall, verified: Collection[str] | None) -> None:
        """Put a worktree back whose files were a candidate's: verification wrote the rest of them."""
        if not verified or call.commit is None:
            return
        worktree = await self._worktrees.find(call.workspace)
        if worktree.is_made:
            await self._commits.take_files_of(worktree, call.commit)

    async def release(self, spec: WorkspaceSpec) -> None:
        """Remove a worktree; what it holds is on a ref before. Missing ones are fine.

        Where that cannot be, because its repository is gone, broken or not trusted, it stays, and
        the people of the thread are told.
        """
        try:
            worktree = await self._worktrees.find(spec)
            await self.checkouts.discard(spec)
            if self.set_ups is not None and (why := await self.set_ups.clean_up(worktree, spec)):
                await self._tell(
                    spec.thread_id, f"the clean-up of {spec.workspace_id} failed: {why}"
                )
            if worktree.is_made:
                await self._salvage.keep(worktree)
            elif worktree.is_lost:
                await self._salvage.rescue(worktree, spec)
            await self._tell_moved(worktree, spec)
        except RepositoryError as error:
            reason = f"the work of {spec.workspace_id} stays in its folder: {error.message}"
            await self._tell(spec.thread_id, reason)
            return
        await self._worktrees.discard(worktree)

    async def _tell_moved(self, worktree: Worktree, spec: WorkspaceSpec) -> None:
        if moved := await self._foreign.moved(worktree, spec):
            await self._tell(spec.thread_id, moved)


async def _log(thread_id: ThreadId, message: str) -> None:
    logger.warning("people should know", extra={"stream": thread_id, "reason": message})
