"""The `Environments` port: what processes in a workspace get by its recipe."""

from pathlib import Path

from adapters.git.commands import Git
from adapters.git.repositories import Repositories
from adapters.setup.caches import cache_environment
from adapters.setup.means import SetUpMeans
from adapters.setup.user_files import named_files
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.ports import Surroundings


class RecipeEnvironments:
    """The variables of recipes, and the caches of repositories below the data folder."""

    def __init__(
        self, git: Git, repositories: Repositories, means: SetUpMeans, data_dir: Path
    ) -> None:
        self._git = git
        self._texts = means.texts
        self._secrets = means.secrets
        self._repositories = repositories
        self._caches = data_dir / "caches"

    async def of(self, spec: WorkspaceSpec, user: str) -> Surroundings:
        """Return what a workspace's processes get; nothing for one without a recipe.

        Raises:
            SecretUnavailableError: A secret of its cannot be read; says which, and why.
        """
        if not spec.recipe:
            return Surroundings()
        recipe = await self._texts.recipe(spec.recipe)
        repository = await self._repositories.find(spec.repository)
        linked = await named_files(self._git, repository, recipe.linked)
        secrets = await self._secrets.of(recipe, repository.root, user)
        folder = self._caches / repository.name
        has_caches = folder.is_dir()
        caches = cache_environment(folder) if has_caches else {}
        return Surroundings(
            {**caches, **recipe.environment, **secrets},
            (folder,) if has_caches else (),
            tuple(repository.root / path for path in linked),
            tuple(path.strip("/") for path in recipe.path),
        )
