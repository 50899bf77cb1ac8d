"""Workspaces of a repository with a devcontainer, with real podman: set up, verified and gone with it."""

import json
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from adapters.git.workspaces import GitWorkspaces
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.spawner import Spawner
from adapters.setup.commands import SetUpCommands
from adapters.setup.means import SetUpMeans
from adapters.setup.secrets import RecipeSecrets
from adapters.setup.texts import RecipeTexts
from adapters.verification.verifier import StepVerifier
from domain.agents.sandbox import SandboxRules
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.recipe import WorkspaceRecipe
from domain.verification.checkouts import Recipe
from domain.verification.ports import StepPlace
from domain.verification.steps import StepResult, StepType, VerificationStep
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.podman_lab import DESCRIPTION, containers_of, engine_of
from tests.adapters.task_specs import spec_of

pytestmark = pytest.mark.e2e

SET_UP = ("echo system > /opt/tool", "mkdir deps && pwd > deps/where", "echo once >> /opt/runs")


@pytest.fixture
def host(data_dir: Path, tmp_path: Path) -> Spawner:
    folders = HostFolders(data_dir, tmp_path / "programs", tmp_path / "config")
    (tmp_path / "home").mkdir()
    return host_spawner(folders, BASE_ENVIRONMENT | {"HOME": str(tmp_path / "home")})


@pytest.fixture
def recipe() -> WorkspaceRecipe:
    return WorkspaceRecipe(devcontainer=True, setup=SET_UP)


@pytest.fixture
def repository(repository: Path, git: Callable[..., str], debian: str) -> Path:
    (repository / ".gitignore").write_text("deps/\n")
    (repository / DESCRIPTION).parent.mkdir()
    described = {"image": debian, "remoteEnv": {"SAID": "${containerWorkspaceFolder}"}}
    (repository / DESCRIPTION).write_text(json.dumps(described))
    git(repository, "add", "--all")
    git(repository, "commit", "--quiet", "--message=describe")
    return repository


@pytest.fixture
def workspaces(host: Spawner, data_dir: Path, recipe: WorkspaceRecipe) -> GitWorkspaces:
    async def text(_reference: str) -> str:
        return recipe.model_dump_json()

    commands = SetUpCommands(host, SandboxRules())
    secrets, containers = RecipeSecrets(host, lambda _: None), containers_of(host, data_dir)
    making = SetUpMeans(commands, RecipeTexts(text), secrets, host.path, containers=containers)
    return GitWorkspaces(host, data_dir, making=making)


@dataclass
class Lab:
    """Workspaces of one repository, and what runs steps in them."""

    host: Spawner
    workspaces: GitWorkspaces
    repository: Path
    data_dir: Path

    @property
    def layers(self) -> list[str]:
        return [folder.name for folder in self.data_dir.glob("layers/*/*")]

    def spec(self, number: int = 1) -> WorkspaceSpec:
        task = spec_of(self.repository, f"task-{number}")
        return task.model_copy(update={"recipe": "recipe"})

    async def step(self, place: StepPlace, command: str) -> StepResult:
        verifier = StepVerifier(self.host, rules=SandboxRules())
        verifier.environments = self.workspaces.environments
        asked = VerificationStep(id="s", type=StepType.COMMAND, command=command)
        return (await verifier.run_step(asked, place, lambda: None))[0]

    async def left(self) -> list[str]:
        """Return the worktrees that have a container."""
        engine = engine_of(self.host, self.data_dir)
        known = (await engine.labelled("treadle.worktree")).values()
        mine = (labels["treadle.worktree"] for labels in known)
        return [path for path in mine if path.startswith(str(self.data_dir))]


@pytest.fixture
async def lab(
    host: Spawner, workspaces: GitWorkspaces, repository: Path, branch: str, data_dir: Path
) -> AsyncGenerator[Lab]:
    lab = Lab(host, workspaces, repository, data_dir)
    yield lab
    for number in (1, 2):
        await workspaces.release(lab.spec(number))
    containers = containers_of(host, data_dir)
    for layer in lab.layers:
        await containers.forget_image(layer)


async def test_it_is_set_up_once_and_each_workspace_has_a_container_of_its_own(lab: Lab) -> None:
    one, two = [await lab.workspaces.prepare(lab.spec(number)) for number in (1, 2)]
    first, second = StepPlace(one, lab.spec(1)), StepPlace(two, lab.spec(2))
    seen = "cat /opt/tool deps/where /opt/runs; echo $SAID; echo mine > /opt/tool; test -e app.py"
    result = await lab.step(first, seen)
    folder = f"/workspaces/{lab.repository.name}"
    assert result.output.split() == ["system", folder, "once", folder]
    assert result.passed
    again = await lab.step(first, "cat /opt/tool; exit 3")
    assert (again.output.split()[0], again.exit_code) == ("mine", 3)
    assert (await lab.step(second, "cat /opt/tool")).output == "system\n"


async def test_a_clean_checkout_has_a_container_that_no_agent_worked_in(
    lab: Lab, git: Callable[..., str]
) -> None:
    asked, checkouts = lab.spec(), lab.workspaces.checkouts
    worktree = await lab.workspaces.prepare(asked)
    await lab.step(StepPlace(worktree, asked), "echo changed > /opt/tool")
    clean = await checkouts.open(asked, git(worktree, "rev-parse", "HEAD"), Recipe())
    place = StepPlace(clean.directory, asked, shown_at=worktree)
    result = await lab.step(place, "cat /opt/tool; pwd")
    assert result.output.split() == ["system", str(worktree)]
    await checkouts.discard(asked)
    assert await lab.left() == [str(worktree)]


async def test_nothing_is_left_of_the_container_of_a_workspace_that_is_released(lab: Lab) -> None:
    worktree = await lab.workspaces.prepare(lab.spec())
    assert await lab.left() == [str(worktree)]
    await lab.workspaces.release(lab.spec())
    assert await lab.left() == []


async def test_a_set_up_that_fails_in_a_container_leaves_none(
    lab: Lab, recipe: WorkspaceRecipe
) -> None:
    failing = recipe.model_copy(update={"setup": ("echo said; exit 4",)})
    assert lab.workspaces.set_ups is not None
    result = await lab.workspaces.set_ups.attempt(str(lab.repository), failing, lambda: None)
    assert result.failure.startswith("echo said; exit 4: exit code 4")
    assert "said" in result.output
    assert await lab.left() == []


async def test_a_description_that_can_not_be_built_fails_the_set_up(
    lab: Lab, recipe: WorkspaceRecipe, git: Callable[..., str]
) -> None:
    (lab.repository / DESCRIPTION).write_text('{"dockerComposeFile": "compose.yaml"}')
    git(lab.repository, "commit", "--quiet", "--all", "--message=compose")
    assert lab.workspaces.set_ups is not None
    result = await lab.workspaces.set_ups.attempt(str(lab.repository), recipe, lambda: None)
    assert "several containers" in result.failure
