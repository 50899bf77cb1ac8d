"""What a child costs: `python -m tests.adapters.child_cost` prints medians of 100, in milliseconds.

Wall, its 95th percentile, and CPU of child and worker, which holds on a busy machine, too. What a
sandbox costs is the difference of the two lines of agents and steps.
"""

import asyncio
import os
import resource
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from adapters.processes.command import Command
from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import HostFolders, host_spawner
from domain.agents.sandbox import SandboxRules
from domain.core.workspaces import Claim

RUNS = 100
KINDS: dict[str, dict[str, Any]] = {
    "git plumbing": {"is_brief": True},
    "agent, step, long git": {},
    "agent, step, in a sandbox": {"sandbox": SandboxRules().of(None, None)},
    "terminal, in a sandbox": {"sandbox": SandboxRules().of(None, None), "terminal": (24, 120)},
}


async def took_ms(act: Awaitable[object]) -> tuple[float, float]:
    """Return how long something took, and how much CPU of this process and its children."""
    started, used = time.perf_counter(), cpu_seconds()
    await act
    return (time.perf_counter() - started) * 1000, (cpu_seconds() - used) * 1000


def cpu_seconds() -> float:
    """Return the CPU time of this process and of all children that ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)


async def costs(folder: Path) -> dict[str, list[tuple[float, float]]]:
    """Measure `true` with and without a fence in turn, and the taking of a workspace."""
    environment = {name: os.environ[name] for name in ("PATH", "HOME")}
    folders = HostFolders(folder / "data", folder / "data" / "programs", folder / "config")
    spawner = host_spawner(folders, environment)
    workspace = folder / "data" / "worktrees" / "w"
    workspace.mkdir(parents=True)
    fences = WorkspaceFences(folder / "fences")
    took: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)

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
            wall, cpu = zip(*took, strict=True)
            late = statistics.quantiles(wall, n=20)[-1]
            print(  # noqa: T201  (an answer)
                f"{statistics.median(wall):7.2f} {late:7.2f} {statistics.median(cpu):7.2f}  {name}"
            )


if __name__ == "__main__":
    main()
