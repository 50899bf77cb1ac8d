"""Services of a recipe in the container of their workspace, with real podman."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

from adapters.port_leases import is_free
from adapters.processes.container_view import is_system
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.spawner import Spawner
from domain.agents.sandbox import SandboxRules
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.containers import Container
from domain.recipes.ports import Surroundings
from domain.recipes.recipe import User
from domain.recipes.services import ServiceState
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.podman_lab import containers_of
from tests.adapters.service_lab import SERVE, TASK, ServiceLab, served

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(
        is_system(Path(sys.executable).resolve()),
        reason="this Python is the system's: an image of Debian has none to serve with",
    ),
]

WEB = {
    "command": f"cat /opt/tool > page.txt; greet >> page.txt; sleep 4324 & {SERVE}",
    "port": "web",
    "health": "/page.txt",
}


class Contained:
    """Has services work in one container, with a folder of their workspace first in PATH."""

    def __init__(self, container: Container) -> None:
        self._container = container

    async def of(self, spec: WorkspaceSpec, user: str, folder: Path | None = None) -> Surroundings:
        del spec, user, folder
        return Surroundings(path=("bin",), container=self._container)


@pytest.fixture
def host(data_dir: Path, tmp_path: Path) -> Spawner:
    folders = HostFolders(data_dir, tmp_path / "programs", tmp_path / "config")
    (tmp_path / "home").mkdir()
    return host_spawner(folders, BASE_ENVIRONMENT | {"HOME": str(tmp_path / "home")})


@pytest.fixture
async def container(
    debian: str, host: Spawner, data_dir: Path, tmp_path: Path
) -> AsyncGenerator[Container]:
    containers = containers_of(host, data_dir)
    yield await containers.make(tmp_path / "lab", debian, "app")
    await containers.remove(tmp_path / "lab")


@pytest.fixture
async def lab(
    host: Spawner, data_dir: Path, tmp_path: Path, container: Container
) -> AsyncGenerator[ServiceLab]:
    lab = ServiceLab(host, data_dir, tmp_path / "lab")
    lab.environments, lab.rules = Contained(container), SandboxRules()
    lab.services = lab.restarted()
    async with served(lab):
        yield lab


def below() -> list[psutil.Process]:
    """Return the services' processes that serve nothing."""
    children = psutil.Process().children(recursive=True)
    return [each for each in children if "sleep 4324" in _line_of(each)]


def _line_of(process: psutil.Process) -> str:
    with suppress(psutil.NoSuchProcess):  # others come and go meanwhile
        return " ".join(process.cmdline())
    return ""


async def test_a_service_is_of_the_container_answers_here_and_ends_with_all_below_it(
    lab: ServiceLab, container: Container
) -> None:
    (container.root / "opt" / "tool").write_text("of the image\n")
    greet = lab.folder / "bin" / "greet"
    greet.parent.mkdir()
    greet.write_text("#!/bin/sh\necho of the workspace\n")
    greet.chmod(0o755)
    lab.have(web=WEB)
    web = (await lab.start())["web"]
    assert web.run.state is ServiceState.HEALTHY, web.output
    async with httpx.AsyncClient(trust_env=False) as browser:
        page = (await browser.get(f"{web.run.url}/page.txt")).text
    assert page == "of the image\nof the workspace\n"
    left = below()
    assert left
    await lab.services.stop(TASK, User.PERSON, "stopped")
    _, alive = await asyncio.to_thread(psutil.wait_procs, left, 60)
    assert not alive
    assert is_free(web.run.number or 0)
