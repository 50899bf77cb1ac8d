"""The demo is the main job, end to end; a killed worker changes nothing but the time."""

import asyncio
import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.e2e.engine import until

TREADLE = Path(sys.executable).parent / "treadle"

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


@pytest.mark.parametrize("options", [[], ["--crash"]], ids=["calm", "crash"])
async def test_the_demo_ends_merged_and_tested_and_leaves_no_process(
    options: list[str], tmp_path: Path
):
    done = await asyncio.to_thread(
        subprocess.run,
        [TREADLE, "demo", *options],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        umask=0,
    )
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    assert re.search(r"python3 -m unittest +OK", told)
    assert re.search(r"pace +2 ", told), "one task fails its tests once"
    assert told.count("kill -9") == 2 * 2 * len(options), "each is told when done and at the end"
    await until(lambda: not processes_of(tmp_path))  # what was killed goes soon
    assert not open_to_others(tmp_path)


def open_to_others(folder: Path) -> list[Path]:
    """Return what is below a folder that others may write; with a umask of 0 nothing of ours is."""
    found = (path for path in folder.rglob("*") if not path.is_symlink())
    return [path for path in found if path.stat().st_mode & (stat.S_IWGRP | stat.S_IWOTH)]


def processes_of(folder: Path) -> list[str]:
    """Return the commands of processes that work in or on a folder."""
    found: list[str] = []
    for process in psutil.process_iter():
        try:
            words = [*process.cmdline(), process.cwd()]
        except psutil.Error:
            continue
        if process.pid != os.getpid() and any(str(folder) in word for word in words):
            found.append(" ".join(words))
    return found
