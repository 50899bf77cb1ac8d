"""What `treadle doctor` says of the disk."""

import os
from pathlib import Path

import pytest

from settings import Settings
from treadle.disk_findings import disk_findings

MB = 1_000_000


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A data folder with a task's worktree, a package cache, and something in the trash."""
    for name, size in (
        ("worktrees/app-1/task-1/code", 3 * MB),
        ("worktrees/app-1/trash-00/code", MB),
        ("caches/app-1/pip/wheel", 2 * MB),
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True)
        file.write_bytes(os.urandom(size))
    return tmp_path


def test_without_limits_it_says_what_takes_the_room(data_dir: Path) -> None:
    (found,) = disk_findings(Settings(data_dir=data_dir))
    assert found.is_well
    total, _, kinds = found.found.partition(": ")
    assert total.startswith("6.0 MB")
    assert [each.split(" take")[0] for each in kinds.split(", ")] == [
        "1 worktree",
        "1 package cache",
        "1 trash folder",
    ]


def test_a_budget_that_can_be_met_is_well(data_dir: Path) -> None:
    (found,) = disk_findings(Settings(data_dir=data_dir, disk_budget="5.5M"))
    assert found.is_well  # the next sweep empties the trash
    assert " of 5.5 MB: " in found.found


def test_limits_that_cannot_be_met_are_named_with_what_to_do(data_dir: Path) -> None:
    settings = Settings(data_dir=data_dir, disk_budget="1M", disk_free="900000G")
    found, free = disk_findings(settings)
    assert (found.is_well, found.is_required, free.is_well, free.is_required) == (
        False,
        False,
        False,
        False,
    )
    assert "1 worktree takes 3.0 MB" in found.fix
    assert "treadle prune" in found.fix
    assert "900.0 TB to keep free" in free.found


def test_an_empty_data_folder_is_well(tmp_path: Path) -> None:
    (found,) = disk_findings(Settings(data_dir=tmp_path / "none"))
    assert (found.is_well, found.found) == (True, "0 bytes")
