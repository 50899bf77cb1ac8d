"""`make chaos-upgrade`: a rolling upgrade under load, from a seed; the exit code is 1 where it found anything."""

import sys
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.chaos.programs import last_lines, run_seeds, seeds_parser
from tests.chaos.upgrades.run import Outcome, Size, UpgradeRun

TARGET = "chaos-upgrade"


def main() -> int:
    """Run each seed."""
    options = seeds_parser(TARGET, __doc__)
    options.add_argument("--people", type=int, default=Size.colleagues)
    chosen = options.parse_args()

    def once(folder: Path, seed: int) -> Coroutine[Any, Any, Outcome]:
        return UpgradeRun(folder, seed, Size(colleagues=chosen.people)).run()

    return run_seeds(TARGET, chosen.seeds, once, report)


def report(outcome: Outcome) -> list[str]:
    """Return what a run was and found, a line each."""
    builds = Counter(f"{run.kind} {run.moved_to or run.build}" for run in outcome.runs)
    refused = outcome.refused_connections
    return [
        f"seed {outcome.seed}",
        f"commands: {outcome.commands.total()} ({_words(outcome.commands)})",
        f"slowest command: {outcome.slowest:.1f} s",
        f"threads: {len(outcome.threads)}; runs by build: {_words(builds)}",
        f"steps: {', '.join(f'{name} {seconds:.1f} s' for name, seconds in outcome.steps)}",
        f"connections refused, by step: {_words(refused) or 'none'}",
        *last_lines(outcome),
    ]


def _words(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


if __name__ == "__main__":
    sys.exit(main())
