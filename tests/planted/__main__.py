"""Plant the bugs one by one in a copy of the tree, and say which ones the tests find."""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.planted.bug import ROOT, PlantedBug
from tests.planted.bugs import BUGS

PASSED, FAILED = 0, 1
"""Pytest's exit codes: all tests passed, some failed; all others say that it could not run them."""


def say(line: str) -> None:
    """Print a line at once, also into a pipe."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def copy_tree(target: Path) -> None:
    """Copy all files of the repository that git does not ignore."""
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name, follow_symlinks=False)


def run_tests(root: Path, tests: Iterable[str]) -> subprocess.CompletedProcess[str]:
    """Run tests in a copy of the tree; its modules come before those of this one."""
    options = ("-x", "-q", "-p", "no:cacheprovider", "-o", "addopts=--strict-markers")
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, *tests],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"},
        check=False,
        capture_output=True,
        text=True,
    )


def is_found(bug: PlantedBug, root: Path) -> bool:
    """Plant one bug, run its tests, and take it out again."""
    began = time.monotonic()
    sound = bug.plant(root)
    try:
        ran = run_tests(root, bug.tests)
    finally:
        (root / bug.file).write_text(sound)
    verdict = {FAILED: "found", PASSED: "NOT FOUND"}.get(ran.returncode, "BROKEN")
    say(f"{verdict:9} {bug.name} ({time.monotonic() - began:.1f} s)")
    if verdict == "BROKEN":
        say(f"{ran.stdout[-2_000:]}{ran.stderr[-2_000:]}")
    return verdict == "found"


def main() -> int:
    """Return 0 where every bug is found, and all tests pass without one."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("-k", default="", metavar="NAME", help="only those with this in their name")
    wanted = parser.parse_args().k
    bugs = [bug for bug in BUGS if wanted in bug.name]
    problems = [problem for bug in bugs if (problem := bug.problem())]
    if problems or not bugs:
        say("\n".join(problems) or f"no bug is named {wanted!r}")
        return 2
    with TemporaryDirectory(prefix="treadle-planted-") as folder:
        root = Path(folder)
        copy_tree(root)
        sound = run_tests(root, dict.fromkeys(test for bug in bugs for test in bug.tests))
        if sound.returncode != PASSED:
            say(f"the tests fail without any bug: {sound.stdout[-4_000:]}{sound.stderr[-2_000:]}")
            return 2
        found = sum([is_found(bug, root) for bug in bugs])
    say(f"{found} of {len(bugs)} planted bugs found")
    return 0 if found == len(bugs) else 1


if __name__ == "__main__":
    sys.exit(main())
