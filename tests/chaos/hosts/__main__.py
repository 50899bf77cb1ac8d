"""`make chaos-hosts`: a host is lost for good, from a seed; the exit code is 1 where it found anything.

It runs in a network namespace of its own, which needs root, and Debian's `iproute2` and `postgresql`.
"""

import argparse
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from statistics import median
from typing import Any

from tests.chaos.hosts.run import HostsRun, Outcome
from tests.chaos.programs import last_lines, run_seeds, seeds_parser

TARGET, INSIDE = "chaos-hosts", "--inside"


def main() -> int:
    """Run each seed."""
    options = seeds_parser(TARGET, __doc__)
    options.add_argument("--threads", type=int, default=60)
    options.add_argument(INSIDE, action="store_true", help=argparse.SUPPRESS)
    chosen = options.parse_args()
    if not chosen.inside:
        words = [sys.executable, "-m", "tests.chaos.hosts", *sys.argv[1:], INSIDE]
        os.execvp("unshare", ["unshare", "--net", *words])  # noqa: S606

    def once(folder: Path, seed: int) -> Coroutine[Any, Any, Outcome]:
        folder.chmod(0o755)  # PostgreSQL runs as another user
        return HostsRun(folder, seed, chosen.threads).run()

    return run_seeds(TARGET, chosen.seeds, once, report)


def report(outcome: Outcome) -> list[str]:
    """Return what a run was and found, a line each."""
    back = outcome.back or [0.0]
    return [
        f"seed {outcome.seed}: {outcome.fault} of {outcome.host}, for good",
        f"threads: {len(outcome.threads)}, on the lost host and not over: {outcome.moved}",
        f"at work again after the limit: median {median(back):.1f} s, longest {max(back):.1f} s",
        *last_lines(outcome),
    ]


if __name__ == "__main__":
    sys.exit(main())
