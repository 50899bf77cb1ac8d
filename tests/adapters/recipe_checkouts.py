"""Workspaces whose recipe says how they are checked out."""

from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from adapters.setup.commands import SetUpCommands
from adapters.setup.means import SetUpMeans
from adapters.setup.secrets import RecipeSecrets
from adapters.setup.texts import RecipeTexts
from domain.agents.sandbox import Level, SandboxRules
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.recipe import WorkspaceRecipe
from tests.adapters.task_specs import spec_of

Git = Callable[..., str]


class Recipes:
    """The recipe that the journal keeps."""

    def __init__(self) -> None:
        self.recipe = WorkspaceRecipe()
        self.texts = RecipeTexts(self.text)

    async def text(self, _reference: str) -> str:
        return self.recipe.model_dump_json()


@pytest.fixture
def recipes() -> Recipes:
    return Recipes()


@pytest.fixture
def workspaces(spawner: Spawner, data_dir: Path, recipes: Recipes) -> GitWorkspaces:
    return make_workspaces(spawner, data_dir, recipes)


def make_workspaces(spawner: Spawner, data_dir: Path, recipes: Recipes) -> GitWorkspaces:
    return GitWorkspaces(spawner, data_dir, making=means_of(spawner, recipes))


def means_of(spawner: Spawner, recipes: Recipes) -> SetUpMeans:
    """Return what carries recipes out, without a sandbox."""
    commands = SetUpCommands(spawner, SandboxRules(level=Level.OFF))
    return SetUpMeans(commands, recipes.texts, RecipeSecrets(spawner, lambda _values: None))


def spec(repository: Path, number: int = 1) -> WorkspaceSpec:
    return spec_of(repository, f"task-{number}").model_copy(update={"recipe": "recipe"})


def commit_all(git: Git, folder: Path, message: str = "more") -> str:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", f"--message={message}")
    return git(folder, "rev-parse", "HEAD")
