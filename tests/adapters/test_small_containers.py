"""What recipes have processes in a container find, on files that hold a shell and nothing else: no podman is needed."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.spawner import Spawner
from adapters.setup.commands import Place, SetUpCommands
from domain.agents.sandbox import Level, Sandbox, SandboxRules
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.containers import Container
from domain.recipes.ports import Surroundings
from domain.recipes.recipe import WorkspaceRecipe
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.service_lab import ServiceLab, served


@pytest.fixture
def host(data_dir: Path, tmp_path: Path) -> Spawner:
    folders = HostFolders(data_dir, tmp_path / "programs", tmp_path / "config")
    return host_spawner(folders, BASE_ENVIRONMENT | {"HOME": str(tmp_path / "home")})


@pytest.fixture
def container(tmp_path: Path) -> Container:
    """A shell with the libraries that it needs, seen at their own places."""
    root = tmp_path / "root"
    for name in ("proc", "dev", "etc", "bin", "opt"):
        (root / name).mkdir(parents=True)
    shell = Path("/bin/sh").resolve()
    listed = subprocess.run(["ldd", shell], capture_output=True, text=True, check=False).stdout
    for library in re.findall(r"/\S+", listed):
        (root / library[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, root / library[1:])
    shutil.copy(shell, root / "bin" / "sh")
    (root / "opt" / "tool").write_text("of the image\n")
    return Container("small", root, Path("/workspaces/app"), {"OF": "image"})


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a program in a folder of its own."""
    tool = tmp_path / "work" / "deps" / "bin" / "greet"
    tool.parent.mkdir(parents=True)
    tool.write_text('#!/bin/sh\nread said < /opt/tool && echo "$said, $OF"\n')
    tool.chmod(0o755)
    return tmp_path / "work"


@pytest.mark.parametrize("sandbox", [None, Sandbox(level=Level.OFF), SandboxRules().of(None, None)])
@pytest.mark.parametrize("argv", [("greet",), ("/bin/sh", "-c", "greet"), ("deps/bin/greet",)])
async def test_folders_of_a_workspace_come_first_in_the_path_of_a_container(
    host: Spawner,
    container: Container,
    workspace: Path,
    sandbox: Sandbox | None,
    argv: tuple[str, ...],
):
    asked = Command(argv, workspace, sandbox=sandbox, path=("deps/bin",), container=container)
    done = await host.run(asked, limit_seconds=60)
    assert (done.output.text(), done.errors) == ("of the image, image\n", "")


@pytest.mark.parametrize("sandbox", [None, SandboxRules().of(None, None)])
@pytest.mark.parametrize("is_moved", [True, False])
async def test_other_repositories_are_beside_the_workspace_in_a_container(
    host: Spawner,
    container: Container,
    workspace: Path,
    tmp_path: Path,
    sandbox: Sandbox | None,
    *,
    is_moved: bool,
):
    other = tmp_path / "there" / "api"
    other.mkdir(parents=True)
    seen = workspace.parent / "api" if is_moved else other
    argv = ("/bin/sh", "-c", f"read said < /opt/tool; echo $said > {seen}/made; echo $said > own")
    beside = ((other, seen),)
    asked = Command(argv, workspace, sandbox=sandbox, container=container, beside=beside)
    done = await host.run(asked, limit_seconds=60)
    assert done.returncode == 0, done.errors
    assert (other / "made").read_text() == (workspace / "own").read_text() == "of the image\n"


async def test_a_set_up_runs_where_all_containers_of_a_repository_see_their_workspace(
    host: Spawner, container: Container, workspace: Path, tmp_path: Path
):
    recipe = WorkspaceRecipe(setup=("greet > said; pwd >> said",), path=("deps/bin",))
    place = Place(tmp_path, workspace, tmp_path / "caches", container=container)
    printed = await SetUpCommands(host, SandboxRules()).run(recipe, place, {}, lambda: None)
    assert printed.failure == "", printed.output
    assert (workspace / "said").read_text() == "of the image, image\n/workspaces/app\n"


class Contained:
    """Has all processes work in one container."""

    def __init__(self, container: Container) -> None:
        self._container = container

    async def of(self, spec: WorkspaceSpec, user: str, folder: Path | None = None) -> Surroundings:
        del spec, user, folder
        return Surroundings(path=("deps/bin",), container=self._container)


async def test_a_service_runs_in_the_container_and_its_last_words_are_told(
    host: Spawner, container: Container, workspace: Path, data_dir: Path, tmp_path: Path
):
    lab = ServiceLab(host, data_dir, tmp_path / "lab")
    shutil.copytree(workspace, lab.folder, dirs_exist_ok=True)
    lab.environments, lab.rules = Contained(container), SandboxRules()
    lab.services = lab.restarted()
    async with served(lab):
        lab.have(web={"command": "greet; exit 3", "port": "web"})
        web = (await lab.start())["web"]
    assert web.run.failure == "exited with code 3 before it was healthy"
    assert web.output == "of the image, image"
