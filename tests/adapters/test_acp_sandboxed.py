"""The runner with an agent in a sandbox: what it is told to ask, and what the sandbox is called."""

import os
import sys

import pytest

from adapters.acp.launch import Launch
from adapters.acp.questions import QuestionChannel
from adapters.acp.runner import AcpAgents
from adapters.acp.sandboxes import AgentSandboxes
from adapters.files.agent_profiles import AgentFiles
from adapters.processes.host_spawner import HostFolders, host_spawner
from domain.agents.sandbox import Level, SandboxRules
from tests.adapters.agent_lab import AGENT, open_lab
from tests.fakes import MemoryJournal

PROFILE = {
    "command": ["${treadle}", "scripted-agent"],
    "set_environment": {"TREADLE_SCRIPTED_STATE": "${home}"},
    "work_mode": "build",
    "ask_mode": "plan",
}


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


def runner_in_a_sandbox(lab, level, variables):
    folders = HostFolders(lab.folder / "data", lab.folder / "programs", lab.folder / "config")
    environment = {n: os.environ[n] for n in ("PATH", "HOME", "LANG") if n in os.environ}
    home = lab.folder / "home"
    home.mkdir()
    sandboxes = AgentSandboxes(SandboxRules(level=level), home, lab.tools.url)
    launch = Launch(
        folders.data_dir,
        lambda names: {name: variables[name] for name in names if name in variables},
        (sys.executable, AGENT),
        sandboxes=sandboxes,
    )
    runner = AcpAgents(
        AgentFiles(folders.config),
        host_spawner(folders, environment | {"HOME": str(home)}),
        lab.tools,
        launch,
        QuestionChannel(lab.door, MemoryJournal()),
    )
    lab.runners.append(runner)
    return runner


@pytest.mark.parametrize(("level", "mode"), [(Level.WORKSPACE_WRITE, "build"), (Level.OFF, "plan")])
async def test_an_agent_has_to_ask_only_where_a_person_is_asked(lab, level, mode):
    lab.profile("asking", PROFILE)
    lab.scenario({"say": "in ${mode}"})
    runner = runner_in_a_sandbox(lab, level, {})

    answer, record = await lab.run(agent="asking", runner=runner)

    assert answer.text.endswith(f"in {mode}")
    assert [e.level for e in record.events if e.kind == "sandbox_applied"] == [level]


@pytest.mark.parametrize("level", [Level.WORKSPACE_WRITE, Level.OFF])
async def test_certificates_of_the_users_network_reach_every_agent(lab, level):
    file = lab.folder / "authority.pem"
    file.write_text("of our company")
    lab.profile("plain", PROFILE)
    lab.scenario({"run": "cat $NODE_EXTRA_CA_CERTS"})
    runner = runner_in_a_sandbox(lab, level, {"NODE_EXTRA_CA_CERTS": str(file)})

    _, record = await lab.run(agent="plain", runner=runner)

    updates = [str(e.update) for e in record.events if e.kind == "agent_update"]
    assert any("of our company" in update for update in updates)
