"""A recipe that Treadle proposes where a repository has none: from what is found in it."""

from domain.core.wire import Wire
from domain.recipes.checkout_files import CheckoutFiles
from domain.recipes.ecosystems import ECOSYSTEMS
from domain.recipes.faults import find_recipe_faults
from domain.recipes.recipe import WorkspaceRecipe
from domain.recipes.sources import Found, other_tools, services_of_compose

_ENV_FILES = (".env", ".env.local", ".env.test", ".env.development", ".envrc", ".dev.vars")


class Proposal(Wire):
    """A recipe and why: a line for each thing found, and what is missing to do more."""

    recipe: WorkspaceRecipe = WorkspaceRecipe()
    found: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that a recipe would do."""
        return self.recipe == WorkspaceRecipe()


def propose_recipe(files: CheckoutFiles) -> Proposal:
    """Return the recipe for a repository by what it has.

    What other tools keep for the same purpose (`conductor.json`, `.worktreeinclude`, …) is taken as
    it is. Otherwise each package manager's own way to install what its lock file names.
    """
    said = list(other_tools(files))
    if not any(part.recipe.setup for part in said):
        said += [part for ecosystem in ECOSYSTEMS if (part := ecosystem(files)) is not None]
    is_contained = any(part.recipe.devcontainer for part in said)
    said += services_of_compose(files, is_contained=is_contained)
    if not any(part.recipe.copied for part in said):
        said += _env_files(files)
    if files.has(".gitmodules"):
        said.append(Found(".gitmodules", WorkspaceRecipe(submodules=True), "submodules"))
    if "filter=lfs" in files.text(".gitattributes"):
        said.append(Found(".gitattributes", WorkspaceRecipe(lfs=True), "files of Git LFS"))
    said = [_usable(part) for part in said]
    return Proposal(
        recipe=_joined([part.recipe for part in said]),
        found=tuple(f"{part.file}: {part.words}" for part in said if part.words),
        missing=tuple(part.missing for part in said if part.missing),
    )


def _usable(part: Found) -> Found:
    """Return a part as it is, or only what is wrong with it where no recipe may say that."""
    fault = next(find_recipe_faults(part.recipe), None)
    return part if fault is None else Found(part.file, missing=f"{part.file}: {fault}")


def _env_files(files: CheckoutFiles) -> list[Found]:
    there = tuple(name for name in _ENV_FILES if name in files.ignored)
    if not there:
        return []
    return [Found(there[0], WorkspaceRecipe(copied=there), f"ignored by git: {', '.join(there)}")]


def _joined(recipes: list[WorkspaceRecipe]) -> WorkspaceRecipe:
    """Return one recipe that does all that several do, in their order, each thing once."""
    usual = WorkspaceRecipe()
    values: dict[str, object] = {}
    for name in WorkspaceRecipe.model_fields:
        parts = [getattr(recipe, name) for recipe in recipes]
        if isinstance(getattr(usual, name), tuple):
            values[name] = tuple(dict.fromkeys(item for part in parts for item in part))
        elif isinstance(getattr(usual, name), dict):
            values[name] = {key: value for part in parts for key, value in part.items()}
        elif isinstance(getattr(usual, name), bool):
            values[name] = any(parts)
        else:
            values[name] = max(parts, default=getattr(usual, name))
    return usual.model_copy(update=values)
