"""A worker that starts a process in a container and waits for it, to be killed meanwhile."""

import asyncio
import sys
from pathlib import Path

from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner
from domain.agents.sandbox import SandboxRules
from domain.recipes.containers import Container
from tests.adapters.conftest import BASE_ENVIRONMENT


async def main(name: str, data_dir: str, top: str, worktree: str, root: str, *enter: str) -> None:
    """Start it, say so, and wait."""
    folders = HostFolders(Path(data_dir), Path(top) / "programs", Path(top) / "config")
    container = Container(name, Path(root), enter=enter)
    script = "setsid sh -c 'echo began; sleep 4322; true' & wait"
    sandbox = SandboxRules().of(None, None)
    asked = Command(("/bin/sh", "-c", script), Path(worktree), sandbox=sandbox, container=container)
    child = await host_spawner(folders, BASE_ENVIRONMENT).start(asked)
    sys.stdout.buffer.write(await child.stdout.readline())
    sys.stdout.flush()
    await child.wait()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
