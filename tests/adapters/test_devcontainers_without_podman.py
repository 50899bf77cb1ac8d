"""Workspaces of a repository with a devcontainer on a host that has nothing to make containers with."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from adapters.containers.containers import Containers
from adapters.containers.engine import Engine
from adapters.git.workspaces import GitWorkspaces
from adapters.processes.spawner import Spawner
from adapters.setup.means import SetUpMeans
from domain.core.workspaces import WorkspaceKind
from domain.recipes.errors import SetUpFailedError
from tests.adapters.layer_lab import Recipes, means, recipes, repository, spec
from tests.adapters.podman_lab import DESCRIPTION, images_of
from tests.adapters.recipe_checkouts import commit_all

__all__ = ["means", "recipes", "repository"]


@pytest.fixture
def told() -> list[str]:
    return []


@pytest.fixture
def workspaces(
    spawner: Spawner, data_dir: Path, tmp_path: Path, means: SetUpMeans, told: list[str]
) -> GitWorkspaces:
    async def tell(_thread: str, message: str) -> None:
        told.append(message)

    bare = Spawner(data_dir / "bare", {"PATH": str(tmp_path / "nothing")})
    engine = Engine(bare, data_dir, {}, is_root=True)
    containers = Containers(engine, images_of(bare, data_dir), data_dir)
    making = replace(means, containers=containers)
    return GitWorkspaces(spawner, data_dir, tell=tell, making=making)


@pytest.fixture(autouse=True)
def described(repository: Path, branch: str, git: Callable[..., str], recipes: Recipes) -> None:
    (repository / DESCRIPTION).parent.mkdir()
    (repository / DESCRIPTION).write_text(json.dumps({"image": "debian"}))
    commit_all(git, repository, "describe")
    git(repository, "branch", "--force", branch, "HEAD")
    recipes.change(devcontainer=True, cleanup=('echo over >> "$COUNT"',))


async def test_a_task_does_not_begin(
    workspaces: GitWorkspaces, repository: Path, recipes: Recipes
) -> None:
    with pytest.raises(SetUpFailedError, match="a devcontainer needs podman on PATH"):
        await workspaces.prepare(spec(repository))
    assert recipes.runs == 0


async def test_a_chat_goes_on_without_and_leaves_nothing_to_clean_up(
    workspaces: GitWorkspaces, repository: Path, recipes: Recipes, told: list[str]
) -> None:
    chat = spec(repository, kind=WorkspaceKind.CHAT)
    path = await workspaces.prepare(chat)
    assert workspaces.environments is not None
    around = await workspaces.environments.of(chat, "agent")
    assert around.container is None
    assert around.variables["COUNT"] == str(recipes.count)
    await workspaces.release(chat)
    assert not path.exists()
    assert (recipes.runs, told) == (0, [])
