"""An agent, and terminals, in a container, with real podman."""

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from adapters.acp.launch import Launch
from adapters.acp.questions import QuestionChannel
from adapters.acp.runner import AcpAgents
from adapters.acp.sandboxes import AgentSandboxes
from adapters.files.agent_profiles import AgentFiles
from adapters.processes.container_view import is_system
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.spawner import Spawner
from domain.agents.sandbox import Level, SandboxRules
from domain.core.workspaces import WorkspaceSpec
from domain.recipes.containers import Container
from domain.recipes.ports import Surroundings
from tests.adapters.agent_lab import AGENT, Lab, open_lab
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.podman_lab import containers_of
from tests.adapters.terminal_lab import opened
from tests.fakes import MemoryJournal

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(
        is_system(Path(sys.executable).resolve()),
        reason="this Python is the system's: an image of Debian has none to run the agent with",
    ),
]


class Contained:
    """Has all processes work in one container."""

    def __init__(self, container: Container) -> None:
        self._container = container

    async def of(self, spec: WorkspaceSpec, user: str, folder: Path | None = None) -> Surroundings:
        del spec, user, folder
        return Surroundings({"OF_THE_RECIPE": "1"}, container=self._container)


@pytest.fixture
async def lab(tmp_path: Path) -> AsyncGenerator[Lab]:
    async with open_lab(tmp_path) as lab:
        yield lab


@pytest.fixture
def host(lab: Lab) -> Spawner:
    folders = HostFolders(lab.folder / "data", lab.folder / "programs", lab.folder / "config")
    (lab.folder / "home").mkdir()
    return host_spawner(folders, BASE_ENVIRONMENT | {"HOME": str(lab.folder / "home")})


@pytest.fixture
async def container(debian: str, lab: Lab, host: Spawner) -> AsyncGenerator[Container]:
    containers = containers_of(host, lab.folder / "data")
    yield await containers.make(lab.cwd, debian, "app")
    await containers.remove(lab.cwd)


def runner_in(lab: Lab, host: Spawner, container: Container, level: Level) -> AcpAgents:
    sandboxes = AgentSandboxes(SandboxRules(level=level), lab.folder / "home", lab.tools.url)
    launch = Launch(
        lab.folder / "data", lambda _names: {}, (sys.executable, AGENT), sandboxes=sandboxes
    )
    desk = QuestionChannel(lab.door, MemoryJournal())
    runner = AcpAgents(AgentFiles(lab.folder / "config"), host, lab.tools, launch, desk)
    runner.environments = Contained(container)
    lab.runners.append(runner)
    return runner


@pytest.mark.parametrize("level", [Level.WORKSPACE_WRITE, Level.OFF])
async def test_an_agent_works_on_the_files_of_its_container(
    lab: Lab, host: Spawner, container: Container, level: Level
) -> None:
    (container.root / "opt" / "tool").write_text("of the image\n")
    lab.scenario(
        {"run": "cat /opt/tool > said; echo $OF_THE_RECIPE >> said; echo kept > /opt/kept"},
        {"say": "done"},
    )
    answer, record = await lab.run(runner=runner_in(lab, host, container, level))
    assert answer.text.endswith("done")
    assert (lab.cwd / "said").read_text() == "of the image\n1\n"
    assert (container.root / "opt" / "kept").read_text() == "kept\n"
    assert "agent_session_opened" in record.kinds()


async def test_a_terminal_of_an_agent_is_in_its_container_and_ends_with_all_below_it(
    lab: Lab, host: Spawner, container: Container
) -> None:
    async with opened(host, lab.folder / "terminals-of-it") as terminals:
        terminals.launcher.environments = Contained(container)
        (container.root / "opt" / "tool").write_text("of the image\n")
        stream = await terminals.open(
            "cat /opt/tool; tty; sleep 4323 & wait", environment={"A": "1"}
        )
        shown = await terminals.said(stream, "/dev/pts")
        assert shown.startswith("of the image")
        below = [one for one in psutil.Process().children(recursive=True) if _is_it(one)]
        assert below
        await terminals.terminals.kill(stream)
    _, alive = await asyncio.to_thread(psutil.wait_procs, below, 60)
    assert not alive


def _is_it(process: psutil.Process) -> bool:
    with suppress(psutil.NoSuchProcess):
        return "sleep 4323" in " ".join(process.cmdline())
    return False
