"""The commands that make the built-in agent's environment."""

from pathlib import Path

import pytest

from adapters.agent_programs.builtin import LOCK, BuiltinAgent
from adapters.agent_programs.commands import InstallerCommands
from adapters.agent_programs.folders import ProgramFolders
from adapters.processes.spawner import Spawner


class _Recorder(InstallerCommands):
    """Runs nothing and keeps the commands."""

    def __init__(self, folder: Path) -> None:
        super().__init__(Spawner(folder / "runs", {}), folder, {})
        self.commands: list[tuple[str, ...]] = []

    async def run(self, argv: tuple[str, ...], tell, **more: str) -> str:
        self.commands.append(argv)
        return ""


async def _ignore(line: str) -> None:
    """Take a line of progress."""


@pytest.mark.parametrize("installer", ["uv", "pip"])
async def test_what_the_lock_has_is_installed_and_nothing_newer_is_looked_for(tmp_path, installer):
    path = tmp_path / "bin"
    path.mkdir()
    if installer == "uv":
        (path / "uv").touch(mode=0o755)
    commands = _Recorder(tmp_path)
    agent = BuiltinAgent(ProgramFolders(tmp_path / "programs"), str(path))

    await agent.install(commands, _ignore)

    [fill] = [argv for argv in commands.commands if "install" in argv]
    assert installer in {Path(fill[0]).name, *fill}
    assert {"--require-hashes", "--no-deps"} <= set(fill)
    assert fill[-2:] == ("-r", str(LOCK))
