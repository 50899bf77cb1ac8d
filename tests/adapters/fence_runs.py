"""Two attempts on one workspace, the older one's worker stopped or cut off: who writes when?

`python -m tests.adapters.fence_runs 100 [SEED]` prints runs, interleaved writes and stale effects.
A run starts a worker that keeps starting children which write their attempt's number into a log of
the workspace; at a random moment it is stopped (SIGSTOP), or it goes on without knowing that it was
given up, as one that is cut off from the server does. A second worker takes the workspace over, and
the first one is woken again. Every line of the first after the second's first one is interleaved;
a result of the first, or a process that is left, is a stale effect.
"""

import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from adapters.processes.command import Command
from adapters.processes.fences import WorkspaceFences
from adapters.processes.spawner import Spawner
from domain.core.errors import SupersededError
from domain.core.workspaces import Claim
from tests.adapters.tagged import of_tag, wait_until_gone

ROOT = Path(__file__).parents[2]
WRITER = 'for i in 1 2 3 4 5 6 7 8 9 10; do echo "$1" >>log; done'
LASTING = 'while :; do echo "$1" >>log; sleep 0.001; done'
MANY = 300


@dataclass(frozen=True)
class Outcome:
    """What one run showed."""

    interleaved: int
    stale: int


# --- the workers


async def work(folder: Path, attempt: int, rounds: int) -> None:
    """Hold the workspace as an attempt: one lasting child as an agent is, and many short ones."""
    spawner = Spawner(folder / "runs", {"PATH": os.environ["PATH"]})
    fences = WorkspaceFences(folder / "fences")
    print("ready", flush=True)  # noqa: T201  (how a worker and its run talk)
    sys.stdin.readline()
    with suppress(SupersededError):
        async with fences.held("workspace", Claim(order=1, attempt=attempt)) as fence:
            print("held", flush=True)  # noqa: T201  (how a worker and its run talk)
            await write(spawner, folder, attempt, rounds)
            fence.refuse_stale()
            print("result", flush=True)  # noqa: T201  (how a worker and its run talk)


async def write(spawner: Spawner, folder: Path, attempt: int, rounds: int) -> None:
    """Write through children of both kinds until the rounds are over, or one is refused or killed."""
    tag = f"{folder}-{attempt}"

    def command(script: str, *, is_brief: bool) -> Command:
        argv = ("sh", "-c", script, tag, str(attempt))
        return Command(argv, folder / "workspace", is_brief=is_brief)

    agent = await spawner.start(command(LASTING, is_brief=False))
    try:
        for n in range(rounds):
            # not `run`: that looks at the fence itself, this is a worker stopped just before a fork
            child = await spawner.start(command(WRITER, is_brief=bool(n % 2)))
            if await child.wait():
                return
    finally:
        await agent.stop(grace=0)


# --- the run


class Worker:
    """A worker process of a run."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, folder: Path, attempt: int, rounds: int) -> "Worker":
        """Start a worker and wait until it could take the workspace."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.adapters.fence_runs"),
            *("worker", str(folder), str(attempt), str(rounds)),
            cwd=ROOT,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
        )
        worker = cls(process)
        await worker.said(b"ready\n")
        return worker

    async def said(self, line: bytes) -> bool:
        """Wait for a line; tell whether it came."""
        assert self.process.stdout is not None
        return await asyncio.wait_for(self.process.stdout.readline(), 60) == line

    async def go(self) -> None:
        """Let the worker take the workspace."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"go\n")
        await self.process.stdin.drain()

    def send(self, number: signal.Signals) -> None:
        """Stop, wake or kill the worker."""
        with suppress(ProcessLookupError):
            self.process.send_signal(number)

    async def output(self) -> bytes:
        """Return all that it still says, until it ended."""
        assert self.process.stdout is not None
        said = await asyncio.wait_for(self.process.stdout.read(), 60)
        await self.process.wait()
        return said


async def one_run(folder: Path, chance: random.Random) -> Outcome:
    """Run the two attempts and look at what they left."""
    (folder / "workspace").mkdir(parents=True)
    older, newer = await asyncio.gather(
        Worker.start(folder, 1, MANY), Worker.start(folder, 2, chance.randrange(2, 8))
    )
    try:
        await older.go()
        if chance.random() < 0.8:  # else stopped while it takes the workspace
            await older.said(b"held\n")
        await asyncio.sleep(chance.uniform(0, 0.15))
        is_stopped = chance.random() < 0.7
        if is_stopped:
            older.send(signal.SIGSTOP)
        await newer.go()
        await asyncio.sleep(chance.uniform(0, 0.15))
        older.send(signal.SIGCONT)
        said_by_newer, said_by_older = await asyncio.gather(newer.output(), older.output())
    finally:
        for worker in (older, newer):
            worker.send(signal.SIGKILL)
    assert said_by_newer == b"held\nresult\n", said_by_newer
    left = len(wait_until_gone(f"{folder}-", 60))
    return Outcome(interleaved(folder), (b"result" in said_by_older) + left)


def interleaved(folder: Path) -> int:
    """Count the older attempt's lines after the newer one's first."""
    lines = (folder / "workspace" / "log").read_text().split()
    return lines[lines.index("2") :].count("1")


async def many_runs(number: int, seed: int) -> list[Outcome]:
    """Make so many runs."""
    chance = random.Random(seed)  # noqa: S311  (a seed makes a run repeatable)
    outcomes: list[Outcome] = []
    with tempfile.TemporaryDirectory() as top:
        for n in range(number):
            outcomes.append(await one_run(Path(top, f"run-{n}"), chance))
            assert not of_tag(f"{top}/run-{n}-")
    return outcomes


def main() -> None:
    """Be a worker of a run, or make the runs."""
    if sys.argv[1] == "worker":
        folder, attempt, rounds = sys.argv[2:]
        asyncio.run(work(Path(folder), int(attempt), int(rounds)))
        return
    number = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.SystemRandom().randrange(10**6)
    print(f"seed {seed}", flush=True)  # noqa: T201  (how a worker and its run talk)
    started = time.monotonic()
    outcomes = asyncio.run(many_runs(number, seed))
    print(  # noqa: T201  (a command's answer)
        f"{len(outcomes)} runs, {sum(o.interleaved for o in outcomes)} interleaved writes, "
        f"{sum(o.stale for o in outcomes)} stale effects, {time.monotonic() - started:.0f} s"
    )


if __name__ == "__main__":
    main()
