"""`python -m tests.chaos.upgrade_from`: begin jobs with an older version, upgrade in their middle, and check.

The old version is made from its commit in a folder of its own, with its locked requirements: a registry and some
minutes are needed, so CI does not run it. There, a journal and histories of 0.1 are read instead
(tests/adapters/test_journal_schema.py, tests/replay).
"""

import argparse
import asyncio
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tests.chaos.checker import violations
from tests.chaos.engine import SupervisedEngine
from tests.chaos.evidence import Leftovers, leftovers_of, thread_of
from tests.chaos.jobs import JOBS
from tests.chaos.person import Person
from tests.chaos.programs import say
from tests.e2e.engine import until
from treadle.engine import LAUNCH

OF_0_1 = "24d11d19~1"
"""The last commit before the journal had revisions, which are 0.2's."""

HERE = Path(__file__).parents[2]
END_SECONDS = 240
CLEAN_SECONDS = 30


def main() -> int:
    """Upgrade once; the exit code is 1 where it found anything."""
    options = argparse.ArgumentParser(prog="python -m tests.chaos.upgrade_from")
    options.add_argument("commit", nargs="?", default=OF_0_1)
    options.add_argument("--threads", type=int, default=6)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="treadle-upgrade-from-"))
    old = folder / "old"
    _git("worktree", "add", "--quiet", "--detach", str(old), chosen.commit)
    try:
        say(f"{chosen.commit} is being set up in {old}")
        subprocess.run(["make", "--silent", ".venv/.ready"], cwd=old, check=True)
        found = asyncio.run(_upgrade(folder, old, chosen.threads, chosen.seed))
    finally:
        _git("worktree", "remove", "--force", str(old))
    say(f"violations: {len(found)}" + "".join(f"\n  {words}" for words in found))
    if found:
        say(f"to look at: {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(HERE), *words], check=True)


async def _upgrade(folder: Path, old: Path, threads: int, seed: int) -> list[str]:
    engine = SupervisedEngine(folder)
    engine.program = (str(old / ".venv" / "bin" / "python"), str(old / "treadle" / "__main__.py"))
    chance = random.Random(seed)  # noqa: S311  (can be had again by its seed)
    async with engine.running():
        http = engine.http()
        people = [
            Person(http, JOBS[number % len(JOBS)], folder / f"thread-{number}", chance)
            for number in range(threads)
        ]
        doing = [asyncio.create_task(person.see_through()) for person in people]
        await until(lambda: _count(people)["task_merged"] >= 1)
        before = _count(people)
        done = sum(person.is_done for person in people)
        began = time.monotonic()
    engine.program = LAUNCH
    async with engine.running():
        say(f"upgraded in {time.monotonic() - began:.1f} s, {done} of {threads} threads were done")
        say(f"before: {_words(before)}")
        _, stuck = await asyncio.wait(doing, timeout=END_SECONDS)
        found = [f"{p.thread} is stuck" for p, t in zip(people, doing, strict=True) if t in stuck]
        found += [repr(e) for t in doing if t not in stuck and (e := t.exception())]
        for task in stuck:
            task.cancel()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLEAN_SECONDS):
                await until(lambda: leftovers_of(engine) == Leftovers())
        read = [await thread_of(person, http) for person in people if person.thread]
        found += violations(read, leftovers_of(engine))
        say(f"at the end: {_words(_count(people))}")
    await http.aclose()
    return found


def _count(people: list[Person]) -> Counter[str]:
    """Count what has happened."""
    wanted = {"task_opened", "turn_ended", "gate_opened", "task_merged", "plan_completed"}
    kinds = (event.event.body.kind for person in people for event in person.events)
    return Counter(kind for kind in kinds if kind in wanted)


def _words(counted: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


if __name__ == "__main__":
    sys.exit(main())
