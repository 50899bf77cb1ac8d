"""The `Workspaces` port for threads with several repositories; those with one pass through.

Each repository has a worktree of its own, made and saved as any other. What makes them one is the commit of the
thread's own repository, which names the commits beside it.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from adapters.git.commands import Git
from adapters.git.commits import Commits
from adapters.git.index import Index
from adapters.git.parts import Parts
from adapters.git.repositories import Repositories, Repository
from adapters.git.several.checkouts import SeveralCheckouts
from adapters.git.several.environments import SeveralEnvironments
from adapters.git.several.merges import JointMerges
from adapters.git.several.places import Places, named
from adapters.git.several.snapshots import together
from adapters.git.workspaces import GitWorkspaces, Tell
from adapters.git.worktrees import Worktrees
from adapters.processes.spawner import Spawner
from adapters.setup.means import SetUpMeans
from domain.core.errors import BranchConflictError, RepositoryError
from domain.core.ref_moves import MovesEnd
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


class SeveralWorkspaces:
    """Does in each repository what a workspace of one does, and joins what comes of it."""

    def __init__(self, one: GitWorkspaces, spawner: Spawner, data_dir: Path) -> None:
        """Make the port over that of single workspaces, in the same data folder."""
        self._one = one
        self._git = Git(spawner, data_dir / "litter")
        self._repositories = Repositories(self._git, data_dir)
        self._worktrees = Worktrees(self._git, self._repositories, data_dir)
        self._commits = Commits(self._git, Index(self._git))
        self._places = Places(self._git, self._repositories, self._worktrees)
        self._joint = JointMerges(self._git, self._repositories, self._worktrees, data_dir)
        self.checkouts = SeveralCheckouts(one.checkouts, self._places)
        self.environments = SeveralEnvironments(one.environments, self._places, self._worktrees)
        self.set_ups = one.set_ups
        self.spares, self.layers = one.spares, one.layers

    @classmethod
    def on(
        cls,
        spawner: Spawner,
        data_dir: Path,
        litter: Sequence[str],
        tell: Tell,
        making: SetUpMeans | None,
    ) -> "SeveralWorkspaces":
        """Make the port with that of single workspaces below it."""
        return cls(GitWorkspaces(spawner, data_dir, litter, tell, making), spawner, data_dir)

    async def keep_sweeping(self) -> None:
        """End merges that a killed worker left half made; then sweep, until it is cancelled."""
        await self.recover()
        await self._one.keep_sweeping()

    async def recover(self) -> None:
        """Bring merges to their end that a killed worker left half made."""
        await self._joint.moves.recover()

    async def inspect(self, repository: str) -> RepositoryFacts:
        """Look at a folder; see the port."""
        return await self._one.inspect(repository)

    async def create_branch(self, repository: str, branch: str, base: str) -> str:
        """Make a branch and return the commit of its base; see the port."""
        return await self._one.create_branch(repository, branch, base)

    async def create_branches(self, branch: str, bases: Mapping[str, str]) -> tuple[str, ...]:
        """Make a branch in several repositories, in all or in none; see the port."""
        found = [await self._repositories.find(repository) for repository in bases]
        _refuse_the_same(found)
        await self.recover()
        async with self._joint.moves.locked(found):
            pairs = list(zip(found, bases.values(), strict=True))
            begun = [await self._commits.of(each.place, base) for each, base in pairs]
            end = await self._joint.moves.make(f"refs/heads/{branch}", found, begun)
        if end is not MovesEnd.MOVED:
            raise BranchConflictError(
                f"there cannot be a branch {branch!r} in all of {', '.join(bases)}: rename the branch in "
                "the way, or give the template another branchPrefix"
            )
        return tuple(begun)

    async def edit(
        self, spec: WorkspaceSpec, commit: str, suggestions: Sequence[Suggestion]
    ) -> None:
        """Write suggested lines into the thread's own repository; see the port. The others are committed, too."""
        for each in await self._beside(spec):
            await self._one.prepare(each)
        await self._one.edit(spec, commit, suggestions)

    async def take_back(
        self, spec: WorkspaceSpec, commit: str, suggestions: Sequence[Suggestion], key: str
    ) -> None:
        """Take suggested lines out of the thread's own repository again; see the port."""
        await self._one.take_back(spec, commit, suggestions, key)

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        """Have all worktrees ready, made or found; returns that of the thread's own repository."""
        path = await self._one.prepare(spec)
        for each in await self._beside(spec):
            await self._one.prepare(each)
        return path

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        """Commit all changes in each repository, the thread's own last: its commit names the others."""
        if not spec.beside:
            return await self._one.commit(spec, commit)
        read = {one.name for one in spec.beside if one.is_read}
        places = await self._beside(spec)
        each = {
            one.name: await self._one.commit(one, commit) for one in places if one.name not in read
        }
        beside = {one.name: one.base for one in places if one.name in read}
        beside |= {name: snapshot.commit for name, snapshot in each.items()}
        own = await self._one.commit(spec, commit.model_copy(update={"beside": beside}))
        manifest = await self._places.manifest(spec, own.commit)
        tree = await self._places.tree(spec, own.commit, manifest)
        return together(own, each, tree)

    async def diff(
        self, repository: str, base: str, commit: str, beside: Sequence[BesideRepository] = ()
    ) -> str:
        """Return the patch between two commits, with that of each repository beside."""
        return await self._one.diff(repository, base, commit, beside)

    async def put_together(self, spec: WorkspaceSpec, parts: Mapping[str, Sequence[str]]) -> Path:
        """Have a worktree of one repository hold files of other commits; the rules ask it of no others.

        Made again, it is the same: all that is asked for is on commits. Where that cannot be, there is no worktree,
        which nobody would remove.
        """
        base, found = spec.begins_with or spec.base, await self._worktrees.find(spec)
        tree = await Parts(self._git, found.repository.place, spec.base, base).tree(parts)
        path = await self._one.prepare(spec)
        await self._commits.take_files_of(await self._worktrees.find(spec), tree)
        return path

    async def check_out(self, spec: WorkspaceSpec, commit: str) -> Path:
        """Have all worktrees hold exactly what belongs to a commit; see the port."""
        path = await self._one.check_out(spec, commit)
        manifest = await self._manifest(spec, commit)
        for each in await self._beside(spec):
            await self._one.check_out(each, manifest[each.name])
        return path

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        """Return which files that belong to a commit the worktrees do not hold as they are in it."""
        files = [*await self._one.altered(spec, commit)]
        manifest = await self._manifest(spec, commit)
        for each in self._places.known_beside(spec):
            files += named(each.name, await self._one.altered(each, manifest[each.name]))
        return tuple(files)

    async def files(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        """Return the files that git knows in the worktrees or would take up."""
        files = [*await self._one.files(spec)]
        for each in await self._beside(spec):
            files += named(each.name, await self._one.files(each))
        return tuple(files)

    async def place(self, spec: WorkspaceSpec, file: str) -> str:
        """Return where a file of a worktree is; `../api/a.py` is one of the repository beside `api`."""
        for each in await self._beside(spec):
            own = named(each.name, [""])[0]
            if file.startswith(own):
                return await self._one.place(each, file.removeprefix(own))
        return await self._one.place(spec, file)

    async def discard(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        """Throw away what changed in the worktrees since their base; returns which files."""
        files: list[str] = []
        for each in await self._beside(spec):
            files += named(each.name, await self._one.discard(each))
        return (*await self._one.discard(spec), *files)

    async def settle(
        self, call: SettleCall, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        """Merge an accepted commit and those beside it, all or none, and remove the worktrees."""
        spec = call.workspace
        if not spec.beside:
            return await self._one.settle(call, verified)
        result: MergeResult | MergeCandidate = MergeResult()
        if call.commit is not None:
            try:
                result = await self._joint.merge(call, call.commit, verified)
            except RepositoryError as error:
                result = MergeResult(failure=error.message)
        if isinstance(result, MergeResult):
            if verified and call.commit is not None:
                await self._drop_candidate(spec, call.commit)
            await self.release(spec)
        return result

    async def _drop_candidate(self, spec: WorkspaceSpec, commit: str) -> None:
        """Put worktrees back whose files were a candidate's: verification wrote the rest of them."""
        manifest = await self._manifest(spec, commit)
        pairs = [(each, manifest[each.name]) for each in self._places.known_beside(spec)]
        for each, at in (*pairs, (spec, commit)):
            worktree = await self._worktrees.find(each)
            if worktree.is_made:
                await self._commits.take_files_of(worktree, at)

    async def collisions(
        self, repository: str, work: Work, others: Sequence[Work]
    ) -> tuple[Collision, ...]:
        """Return with which of the others a piece of work would conflict in the thread's own repository."""
        return await self._one.collisions(repository, work, others)

    async def release(self, spec: WorkspaceSpec) -> None:
        """Remove the worktrees; what they hold is on a ref before. Missing ones are fine."""
        for each in self._places.known_beside(spec):
            await self._one.release(each)
        await self._one.release(spec)

    async def _beside(self, spec: WorkspaceSpec) -> tuple[WorkspaceSpec, ...]:
        return await self._places.beside(spec) if spec.beside else ()

    async def _manifest(self, spec: WorkspaceSpec, commit: str) -> dict[str, str]:
        return await self._places.manifest(spec, commit) if spec.beside else {}


def _refuse_the_same(found: Sequence[Repository]) -> None:
    """Refuse a repository that is named twice, also by two of its checkouts.

    Raises:
        RepositoryError: There is one.
    """
    roots: dict[Path, Path] = {}
    for each in found:
        if each.common in roots:
            raise RepositoryError(
                f"{each.root} is the same repository as {roots[each.common]}: name each once"
            )
        roots[each.common] = each.root
