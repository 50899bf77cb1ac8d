"""What recipes say of checkouts, carried out on worktrees."""

from adapters.git.commands import Git
from adapters.git.index import Index
from adapters.git.lfs import Lfs
from adapters.git.modules import forget_submodules
from adapters.git.shapes import forget_shape, note_shape
from adapters.git.submodules import Submodules
from adapters.git.worktree import Worktree
from adapters.processes.spawner import Spawner
from adapters.setup.means import SetUpMeans
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.shape import CheckoutShape


class WorktreeFitting:
    """Submodules, files of Git LFS and sparse checkouts of worktrees."""

    def __init__(self, git: Git, spawner: Spawner, index: Index, making: SetUpMeans | None) -> None:
        self._git = git
        self._submodules = Submodules(git, index)
        self._lfs = Lfs(git, Git(spawner, is_personal=True), making)
        self._recipe = making.texts.recipe if making else None

    async def shape_of(self, spec: WorkspaceSpec) -> CheckoutShape:
        """Return what a spec's worktree shall be: what its recipe says."""
        if not spec.recipe or self._recipe is None:
            return CheckoutShape()
        return (await self._recipe(spec.recipe)).shape

    async def begin(self, worktree: Worktree, shape: CheckoutShape) -> None:
        """Note what a worktree is that has no files yet, and fetch what these need."""
        note_shape(worktree.path, worktree.admin, shape)
        if shape.lfs:
            commit = await self._git.line(worktree.place, "rev-parse", "--verify", "HEAD^{commit}")
            await self._lfs.fetch(worktree.repository, commit)

    async def complete(self, worktree: Worktree) -> None:
        """Have its submodules checked out as its index says."""
        await self._submodules.update(worktree)

    def forget(self, worktree: Worktree) -> None:
        """Remove what is kept of a worktree outside of its own folders."""
        forget_worktree(worktree)


def forget_worktree(worktree: Worktree) -> None:
    """Remove a worktree's note, and what submodules' repositories know of it."""
    forget_submodules(worktree)
    forget_shape(worktree.path)
