"""What a child costs: `python -m tests.adapters.child_cost` prints medians of 50, in milliseconds."""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from adapters.processes.fences import WorkspaceFences
from adapters.processes.spawner import Command, Spawner
from domain.workspaces import Claim

RUNS = 50


async def median_ms(act: Callable[[int], Awaitable[object]]) -> float:
    """Do something fifty times, one after the other."""
    took: list[float] = []
    for n in range(RUNS):
        started = time.perf_counter()
        await act(n)
        took.append((time.perf_counter() - started) * 1000)
    return statistics.median(took)


async def costs(folder: Path) -> dict[str, float]:
    """Measure `true` with and without a namespace and a fence, and the taking of a workspace."""
    spawner = Spawner(folder / "runs", {"PATH": os.environ["PATH"]})
    fences = WorkspaceFences(folder / "fences")
    kinds = {"git plumbing": True, "agent, step, long git": False}

    async def take(n: int, attempt: int) -> None:
        async with fences.held(f"w{attempt}", Claim(order=n + 1, attempt=attempt)):
            pass

    found: dict[str, float] = {}
    for name, is_brief in kinds.items():
        command = Command(("true",), folder, is_brief=is_brief)
        found[name] = await median_ms(lambda _, c=command: spawner.run(c))
        async with fences.held("w", Claim(order=1)):
            found[f"{name}, fenced"] = await median_ms(lambda _, c=command: spawner.run(c))
    found["take a workspace, same worker"] = await median_ms(lambda n: take(n, 1))
    found["take a workspace, retry (looks at every process)"] = await median_ms(
        lambda n: take(n, 2)
    )
    return found


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        for name, milliseconds in asyncio.run(costs(Path(folder))).items():
            print(f"{milliseconds:7.2f}  {name}")  # noqa: T201  (a command's answer)


if __name__ == "__main__":
    main()
