"""What a child costs: `python -m tests.adapters.child_cost` prints medians of 50, in milliseconds."""

import asyncio
import os
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable
from pathlib import Path

from adapters.processes.fences import WorkspaceFences
from adapters.processes.spawner import Command, Spawner
from domain.workspaces import Claim

RUNS = 50
KINDS = {"git plumbing": True, "agent, step, long git": False}


async def took_ms(act: Awaitable[object]) -> float:
    """Return how long something took."""
    started = time.perf_counter()
    await act
    return (time.perf_counter() - started) * 1000


async def costs(folder: Path) -> dict[str, float]:
    """Measure `true` with and without a fence in turn, and the taking of a workspace."""
    spawner = Spawner(folder / "runs", {"PATH": os.environ["PATH"]})
    fences = WorkspaceFences(folder / "fences")
    took: defaultdict[str, list[float]] = defaultdict(list)

    async def take(n: int, attempt: int) -> None:
        async with fences.held(f"w{attempt}", Claim(order=n + 1, attempt=attempt)):
            pass

    for n in range(RUNS):
        for name, is_brief in KINDS.items():
            command = Command(("true",), folder, is_brief=is_brief)
            took[name].append(await took_ms(spawner.run(command)))
            async with fences.held("w", Claim(order=n + 1)):
                took[f"{name}, fenced"].append(await took_ms(spawner.run(command)))
        took["take a workspace, same worker"].append(await took_ms(take(n, 1)))
        took["take a workspace, retry"].append(await took_ms(take(n, 2)))
    return {name: statistics.median(times) for name, times in took.items()}


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        for name, milliseconds in asyncio.run(costs(Path(folder))).items():
            print(f"{milliseconds:7.2f}  {name}")  # noqa: T201  (a command's answer)


if __name__ == "__main__":
    main()
