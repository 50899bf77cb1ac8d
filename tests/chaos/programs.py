"""What the programs of chaos share: runs from seeds, told on the terminal; the exit code is 1 where one found anything."""

import argparse
import asyncio
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol, TypeVar


class Found(Protocol):
    """What every run is and finds."""

    violations: list[str]
    seconds: float


O = TypeVar("O", bound=Found)  # noqa: E741  (an outcome)


def say(line: str) -> None:
    """Print a line at once, also into a pipe."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def any_seed() -> int:
    """Return a seed by chance."""
    return random.SystemRandom().randrange(2**31)


def seeds_parser(target: str, about: str | None) -> argparse.ArgumentParser:
    """Return the options of a target of make that runs once for each of some seeds."""
    options = argparse.ArgumentParser(prog=f"make {target}", description=about)
    options.add_argument("--seeds", type=int, nargs="*", help="by chance if none is given")
    return options


def run_seeds(
    target: str,
    seeds: list[int] | None,
    once: Callable[[Path, int], Coroutine[Any, Any, O]],
    report: Callable[[O], list[str]],
) -> int:
    """Run once for each seed, in a folder of its own, which stays where something was found.

    A run that is ended by a signal ends what it has started.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)  # nohup and shells may have ignored it
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    return max([_run_seed(target, seed, once, report) for seed in seeds or [any_seed()]])


def _run_seed(
    target: str,
    seed: int,
    once: Callable[[Path, int], Coroutine[Any, Any, O]],
    report: Callable[[O], list[str]],
) -> int:
    name = target.removeprefix("chaos-")  # short: paths of sockets have a limit
    folder = Path(tempfile.mkdtemp(prefix=f"treadle-{name}-"))
    outcome = asyncio.run(once(folder, seed))
    say("\n".join(report(outcome)))
    if outcome.violations:
        say(f"to look at: {folder}\nagain: make {target} SEEDS={seed}")
        return 1
    shutil.rmtree(folder)
    return 0


def last_lines(outcome: Found) -> list[str]:
    """Return with what every report ends: what it took, and what was found."""
    cores, load = os.cpu_count(), os.getloadavg()[2]
    return [
        f"wall time: {outcome.seconds:.0f} s, on {cores} cores with a load of {load:.1f}",
        f"violations: {len(outcome.violations)}",
        *(f"  {words}" for words in outcome.violations),
    ]
