"""Where the repositories of one workspace are: each with a workspace of its own, and what it is called."""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from adapters.git.commands import Git, GitPlace
from adapters.git.manifests import Manifests
from adapters.git.repositories import Repositories
from adapters.git.worktrees import Worktrees
from domain.core.workspaces import BesideRepository, WorkspaceSpec


class Places:
    """Finds what belongs to a commit of a thread's own repository in those beside it."""

    def __init__(self, git: Git, repositories: Repositories, worktrees: Worktrees) -> None:
        self._git = git
        self._repositories = repositories
        self._worktrees = worktrees
        self.manifests = Manifests(git)

    async def manifest(self, spec: WorkspaceSpec, commit: str) -> dict[str, str]:
        """Return the commits beside one, by the names of their repositories."""
        place = (await self._repositories.find(spec.repository)).place
        return await self.manifests.of(place, commit, spec.beside)

    async def beside(self, spec: WorkspaceSpec) -> tuple[WorkspaceSpec, ...]:
        """Return the workspaces beside one.

        They begin with what belongs to the commits that it begins with.
        """
        bases = await self.manifest(spec, await self._start(spec))
        begins = await self.manifest(spec, spec.begins_with) if spec.begins_with else {}
        merging = await self.manifest(spec, spec.merging) if spec.merging else {}
        return tuple(
            _workspace(spec, one).model_copy(
                update={
                    "base": bases[one.name],
                    "begins_with": begins.get(one.name),
                    "merging": merging.get(one.name),
                }
            )
            for one in spec.beside
        )

    def known_beside(self, spec: WorkspaceSpec) -> tuple[WorkspaceSpec, ...]:
        """Return the workspaces beside one, with the commits that their thread began with."""
        return tuple(
            _workspace(spec, one).model_copy(update={"base": one.begins_at}) for one in spec.beside
        )

    async def _start(self, spec: WorkspaceSpec) -> str:
        """Return the commit that a workspace was made from, or would be."""
        worktree = await self._worktrees.find(spec)
        if not worktree.is_made:
            return spec.base
        known = await self._git.run(
            worktree.place, "merge-base", "--end-of-options", spec.base, "HEAD", accepts=(0, 1, 128)
        )
        return known.output.text().strip() if known.returncode == 0 else "HEAD"

    async def tree(self, spec: WorkspaceSpec, commit: str, manifest: Mapping[str, str]) -> str:
        """Return a name of the trees of a commit and of those beside it, together."""
        at = {one.name: one.repository for one in spec.beside}
        pairs = [(spec.repository, commit), *((at[n], oid) for n, oid in sorted(manifest.items()))]
        trees = [await self._tree_of((await self._repositories.find(r)).place, c) for r, c in pairs]
        return trees_together(trees)

    async def _tree_of(self, place: GitPlace, commit: str) -> str:
        return await self._git.line(
            place, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}"
        )


def trees_together(trees: Iterable[str]) -> str:
    """Return a name of trees: that of the thread's own repository, and those beside by their names."""
    return sha256("\0".join(trees).encode()).hexdigest()[:40]


def named(name: str, files: Iterable[str]) -> tuple[str, ...]:
    """Return files of a repository beside as they are called in the thread's own."""
    return tuple(f"../{name}/{file}" for file in files)


def _workspace(spec: WorkspaceSpec, one: BesideRepository) -> WorkspaceSpec:
    update = {"name": one.name, "repository": one.repository, "recipe": one.recipe}
    return spec.model_copy(update={**update, "beside": ()})
