"""`make chaos-forge`: pull requests and issues on a forge with moods, from a seed; the exit code is 1 where it found anything."""

import sys
from collections import Counter
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from tests.chaos.programs import last_lines, run_seeds, seeds_parser
from tests.chaos.publications.counting import NEVER, Outcome
from tests.chaos.publications.run import PublicationsRun

TARGET = "chaos-forge"


def main() -> int:
    """Run each seed."""
    options = seeds_parser(TARGET, __doc__)
    options.add_argument(
        "--pulls", type=int, default=20, help="how many pull requests, and as many issues"
    )
    chosen = options.parse_args()

    def once(folder: Path, seed: int) -> Coroutine[Any, Any, Outcome]:
        return PublicationsRun(folder, seed, chosen.pulls).run()

    return run_seeds(TARGET, chosen.seeds, once, report)


def report(outcome: Outcome) -> list[str]:
    """Return what a run was and found, a line each."""
    ways = Counter(story.way for story in outcome.stories)
    seconds = sorted(story.seconds for story in outcome.stories) or [0.0]
    table = {
        "pull requests": len(outcome.stories),
        "issues": outcome.issues,
        **{name.replace("_", " "): getattr(outcome, name) for name in NEVER},
        "stuck": len(outcome.stuck),
    }
    return [
        f"seed {outcome.seed}",
        *(f"{name:26}{count:6}" for name, count in table.items()),
        f"ends: {_words(ways)}",
        f"reworks by the policy: {outcome.reworks}; review comments: {outcome.said}, answered: {outcome.answered}",
        f"kills of the worker: {outcome.kills}; hints: {sum(s.hints for s in outcome.stories)}",
        f"answers of the forge: {_words(outcome.moods)}",
        f"cards: {outcome.cards}, opened again: {outcome.cards_twice}; comments: {outcome.comments}",
        f"seconds a pull request: {seconds[len(seconds) // 2]:.0f} in the middle, {seconds[-1]:.0f} at most",
        *last_lines(outcome),
    ]


def _words(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


if __name__ == "__main__":
    sys.exit(main())
