"""`make chaos`: one run from a seed, told on the terminal; the exit code is 1 where it found anything."""

import argparse
import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from tests.chaos.programs import any_seed, last_lines, say
from tests.chaos.recovery import quantiles
from tests.chaos.run import ChaosRun, Outcome
from tests.chaos.schedule import KINDS


def main() -> int:
    """Run once."""
    options = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    options.add_argument("--affected", type=int, default=50, help="how many runs must be hit")
    options.add_argument("--seed", type=int, default=None)
    options.add_argument("--keep", action="store_true", help="keep the folder in any case")
    chosen = options.parse_args()
    seed = any_seed() if chosen.seed is None else chosen.seed
    say(f"seed {seed}: faults until {chosen.affected} runs were hit")
    folder = Path(tempfile.mkdtemp(prefix="treadle-chaos-"))
    outcome = asyncio.run(ChaosRun(folder, seed, chosen.affected).run())
    say("\n".join(report(outcome)))
    if outcome.violations:
        say(f"to look at: {folder}\nagain: make chaos SEED={seed} N={chosen.affected}")
        return 1
    if chosen.keep:
        say(f"kept: {folder}")
    else:
        shutil.rmtree(folder)
    return 0


def report(outcome: Outcome) -> list[str]:
    """Return what a run was and found, a line each."""
    alone = outcome.recovery("worker")
    mixed = outcome.recovery(*(k for k, parts in KINDS.items() if "worker" in parts and parts[1:]))
    kinds = ", ".join(f"{kind} {n}" for kind, n in outcome.kinds.most_common())
    return [
        f"seed {outcome.seed}",
        f"affected runs: {outcome.affected} (threads: {len(outcome.threads)})",
        f"faults: {len(outcome.struck)} ({kinds})",
        f"worker killed in a whole engine, to the next agent's act: {quantiles(alone.first)}",
        f"worker killed in a whole engine, each interrupted turn: {quantiles(alone.each)}",
        f"worker killed with others, to the next agent's act: {quantiles(mixed.first)}",
        f"all ended {outcome.liveness_seconds:.1f} s after the last fault",
        *last_lines(outcome),
    ]


if __name__ == "__main__":
    sys.exit(main())
