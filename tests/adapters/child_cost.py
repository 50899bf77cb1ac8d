"""What a child costs: `python -m tests.adapters.child_cost` prints median and 95th percentile of 100.

In milliseconds. What a sandbox costs is the difference of the two lines of agents and steps.
"""

import asyncio
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.spawner import Command
from domain.sandbox import SandboxRules
from domain.workspaces import Claim

RUNS = 100
KINDS: dict[str, dict[str, Any]] = {
    "git plumbing": {"is_brief": True},
    "agent, step, long git": {},
    "agent, step, in a sandbox": {"sandbox": SandboxRules().of(None, None)},
}


async def took_ms(act: Awaitable[object]) -> float:
    """Return how long something took."""
    started = time.perf_counter()
    await act
    return (time.perf_counter() - started) * 1000


async def costs(folder: Path) -> dict[str, list[float]]:
    """Measure `true` with and without a fence in turn, and the taking of a workspace."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME")}
    folders = HostFolders(folder / "data", folder / "data" / "programs", folder / "config")
    spawner = host_spawner(folders, environment)
    workspace = folder / "data" / "worktrees" / "w"
    workspace.mkdir(parents=True)
    fences = WorkspaceFences(folder / "fences")
    took: defaultdict[str, list[float]] = defaultdict(list)

    async def take(n: int, attempt: int) -> None:
        async with fences.held(f"w{attempt}", Claim(order=n + 1, attempt=attempt)):
            pass

    for n in range(RUNS):
        for name, kind in KINDS.items():
            command = Command(("true",), workspace, **kind)
            took[name].append(await took_ms(spawner.run(command)))
            async with fences.held("w", Claim(order=n + 1)):
                took[f"{name}, fenced"].append(await took_ms(spawner.run(command)))
        took["take a workspace, same worker"].append(await took_ms(take(n, 1)))
        took["take a workspace, retry"].append(await took_ms(take(n, 2)))
    return took


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        for name, took in asyncio.run(costs(Path(folder))).items():
            late = statistics.quantiles(took, n=20)[-1]
            print(f"{statistics.median(took):7.2f} {late:7.2f}  {name}")  # noqa: T201  (an answer)


if __name__ == "__main__":
    main()
