"""The `Environments` port: what processes in a workspace get by its recipe."""

from pathlib import Path

from adapters.git.commands import Git
from adapters.git.worktrees import Worktrees
from adapters.setup.caches import cache_environment
from adapters.setup.means import SetUpMeans
from adapters.setup.user_files import named_files
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.recipes.containers import Container
from domain.recipes.ports import Surroundings
from domain.recipes.recipe import WorkspaceRecipe


class RecipeEnvironments:
    """The variables of recipes, and the caches of repositories below the data folder."""

    def __init__(self, git: Git, worktrees: Worktrees, means: SetUpMeans, data_dir: Path) -> None:
        self._git = git
        self._texts = means.texts
        self._secrets = means.secrets
        self._caches = data_dir / "caches"
        self._containers = means.containers
        self._worktrees = worktrees

    async def of(self, spec: WorkspaceSpec, user: str, folder: Path | None = None) -> Surroundings:
        """Return what a workspace's processes get; nothing for one without a recipe.

        Raises:
            SecretUnavailableError: A secret of its cannot be read; says which, and why.
        """
        if not spec.recipe:
            return Surroundings()
        recipe = await self._texts.recipe(spec.recipe)
        worktree = await self._worktrees.find(spec)
        repository = worktree.repository
        linked = await named_files(self._git, repository, recipe.linked)
        secrets = await self._secrets.of(recipe, repository.root, user)
        shared = self._caches / repository.name
        has_caches = shared.is_dir()
        caches = cache_environment(shared) if has_caches else {}
        return Surroundings(
            {**caches, **recipe.environment, **secrets},
            (shared,) if has_caches else (),
            tuple(repository.root / path for path in linked),
            tuple(path.strip("/") for path in recipe.path),
            container=await self._container(recipe, spec, worktree.path, folder),
        )

    async def _container(
        self, recipe: WorkspaceRecipe, spec: WorkspaceSpec, own: Path, folder: Path | None
    ) -> Container | None:
        """Return the container of a worktree; a chat whose set-up failed has none, and goes on without."""
        if not recipe.devcontainer or self._containers is None:
            return None
        place = folder if folder is not None and self._containers.has(folder) else own
        if spec.kind is not WorkspaceKind.TASK and not self._containers.has(place):
            return None
        return await self._containers.of(place)
