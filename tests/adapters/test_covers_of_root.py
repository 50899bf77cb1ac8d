"""Root's children cannot take a cover off: they lack the capabilities for it."""

import os

import pytest

from adapters.processes.isolation import Cover
from adapters.processes.spawner import Command, Spawner
from tests.adapters.conftest import BASE_ENVIRONMENT


@pytest.mark.skipif(os.geteuid() != 0, reason="others have no capability to take away")
async def test_a_child_of_root_cannot_unmount_a_cover(data_dir):
    (data_dir / "token").write_text("hunter2")
    (data_dir / "worktrees").mkdir()
    spawner = Spawner(data_dir / "runs", BASE_ENVIRONMENT, cover=Cover(data_dir))
    script = f"cd /; umount -l {data_dir}; unshare -m umount -l {data_dir}; cat {data_dir}/token"

    done = await spawner.run(Command(("sh", "-c", script), data_dir / "worktrees"))

    assert done.output.text() == ""
    assert done.returncode != 0
