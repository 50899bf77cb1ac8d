"""A recipe whose set-up counts how often it ran, and makes a program that says where it is."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from adapters.setup.means import SetUpMeans
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.recipe import WorkspaceRecipe
from tests.adapters import recipe_checkouts
from tests.adapters.task_specs import spec_of

TOOL = "deps/bin/tool"
SETUP = (
    'echo made >> "$COUNT"',
    f'mkdir -p deps/bin && printf "#!/bin/sh\\necho $PWD\\n" > {TOOL} && chmod +x {TOOL}',
    'ln -s "$PWD/deps/bin/tool" deps/link && printf "\\0$PWD" > deps/binary',
)


class Recipes(recipe_checkouts.Recipes):
    """The recipe that the journal keeps, and how often its commands ran."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.count = folder / "count"
        self.recipe = WorkspaceRecipe(setup=SETUP, environment={"COUNT": str(self.count)})

    @property
    def runs(self) -> int:
        return len(self.count.read_text().splitlines()) if self.count.exists() else 0

    def change(self, **fields: object) -> None:
        self.recipe = self.recipe.model_copy(update=fields)
        self.texts.forget()


@pytest.fixture
def recipes(tmp_path: Path) -> Recipes:
    return Recipes(tmp_path)


@pytest.fixture
def repository(repository: Path, git: Callable[..., str]) -> Path:
    (repository / ".gitignore").write_text("*.log\ndeps/\n.env\nmodules/\n")
    (repository / "uv.lock").write_text("one\n")
    recipe_checkouts.commit_all(git, repository, "ignore")
    return repository


@pytest.fixture
def means(spawner: Spawner, recipes: Recipes) -> SetUpMeans:
    return recipe_checkouts.means_of(spawner, recipes)


@pytest.fixture
def workspaces(spawner: Spawner, data_dir: Path, means: SetUpMeans) -> GitWorkspaces:
    return GitWorkspaces(spawner, data_dir, making=means)


def spec(repository: Path, number: int = 1, **more: object) -> WorkspaceSpec:
    return spec_of(repository, f"task-{number}").model_copy(update={"recipe": "recipe", **more})


def found(folder: Path, pattern: str) -> list[Path]:
    return list(folder.glob(pattern))


def said(program: Path) -> str:
    return subprocess.run([program], capture_output=True, check=True, text=True).stdout.strip()
