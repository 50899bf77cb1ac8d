"""An agent in its sandbox works in several repositories, and its turn is committed in all."""

import os
import sys

import pytest

from adapters.acp.launch import Launch
from adapters.acp.questions import QuestionChannel
from adapters.acp.runner import AcpAgents
from adapters.acp.sandboxes import AgentSandboxes
from adapters.files.agent_profiles import AgentFiles
from adapters.processes.host_spawner import HostFolders, host_spawner
from domain.agents.agents import SessionRole
from domain.agents.permissions import PermissionMode
from domain.agents.sandbox import Level, SandboxRules
from tests.adapters.agent_lab import AGENT, open_lab
from tests.adapters.task_specs import commit_of
from tests.fakes import MemoryJournal

WRITES = 'cat ../api/serve.py; echo 1 > note; echo 2 > "$TREADLE_REPOSITORY_API/note"'


@pytest.fixture
async def agents(tmp_path):
    (tmp_path / "agents").mkdir()
    async with open_lab(tmp_path / "agents") as agents:
        yield agents


@pytest.fixture
def runner(lab, agents, tmp_path):
    """Agents as a worker runs them, in the data folder of the worktrees."""

    def made(level):
        folders = HostFolders(lab.data_dir, lab.data_dir / "programs", agents.folder / "config")
        environment = {n: os.environ[n] for n in ("PATH", "HOME", "LANG") if n in os.environ}
        (home := tmp_path / "home").mkdir()
        sandboxes = AgentSandboxes(SandboxRules(level=level), home, agents.tools.url)
        launch = Launch(
            lab.data_dir, lambda _names: {}, (sys.executable, AGENT), sandboxes=sandboxes
        )
        made = AcpAgents(
            AgentFiles(folders.config),
            host_spawner(folders, environment | {"HOME": str(home)}),
            agents.tools,
            launch,
            QuestionChannel(agents.door, MemoryJournal(), PermissionMode.ALLOW),
        )
        made.environments = lab.port.environments
        agents.runners.append(made)
        return made

    return made


async def turn(lab, agents, runner, role=SessionRole.TASK):
    """Have an agent take a turn that writes into both; returns the workspace and its folder."""
    spec = lab.spec("task-1")
    agents.cwd = await lab.port.prepare(spec)
    agents.scenario({"run": WRITES})
    call = agents.call(role=role)
    there = call.turn.model_copy(update={"workspace": spec})
    call = call.model_copy(update={"turn": there, "directory": agents.cwd})
    await runner.run_turn(call, lambda _body: _nothing(), lambda: None)
    return spec, agents.cwd


async def _nothing():
    return None


@pytest.mark.parametrize("level", [Level.WORKSPACE_WRITE, Level.OFF])
async def test_what_an_agent_writes_in_both_is_committed_in_both(lab, agents, runner, level):
    spec, folder = await turn(lab, agents, runner(level))

    assert (folder.parent / "api" / "note").read_text() == "2\n"
    snapshot = await lab.port.commit(spec, commit_of("turn-1"))
    assert {"note", "../api/note"} <= set(snapshot.files)


async def test_a_planner_writes_in_neither(lab, agents, runner):
    _, folder = await turn(lab, agents, runner(Level.WORKSPACE_WRITE), SessionRole.PLANNER)

    assert not (folder / "note").exists()
    assert not (folder.parent / "api" / "note").exists()
