"""The built-in agent's environment, where it can't be made."""

import os

import pytest

from adapters.agent_programs.builtin import BuiltinAgent
from adapters.agent_programs.commands import InstallerCommands
from adapters.agent_programs.folders import ProgramFolders
from adapters.processes.spawner import Spawner
from domain.agents.errors import InstallError

pytestmark = pytest.mark.agents


async def test_where_no_registry_is_reached_it_says_so_and_nothing_counts_as_installed(tmp_path):
    told = []

    async def tell(line):
        told.append(line)

    programs = tmp_path / "programs"
    spawner = Spawner(tmp_path / "runs", {"PATH": os.defpath, "HOME": str(tmp_path)})
    commands = InstallerCommands(spawner, programs, {"PIP_NO_INDEX": "1"})
    agent = BuiltinAgent(ProgramFolders(programs), os.defpath)
    with pytest.raises(InstallError, match="needs a Python package registry once"):
        await agent.install(commands, tell)
    with pytest.raises(InstallError, match="agents install treadle"):
        agent.command()

    assert "once" in told[0]
