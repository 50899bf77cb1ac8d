"""A disk kept within its limits: real pools of real repositories, and those who take from them meanwhile."""

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from temporalio.testing import ActivityEnvironment

from adapters.disk.budget import DiskBudget
from adapters.disk.pools import DiskPools
from adapters.git import spares
from adapters.git.workspaces import GitWorkspaces
from adapters.temporal import RoomForTurns
from domain.retention.disk import DiskLimits, StoredKind
from tests.adapters.disk_lab import (
    LONG_AGO,
    NOTHING,
    mirrors,
    one,
    pools,
    small_repositories_have_spares,
    stored,
)
from tests.adapters.layer_lab import means, recipes, repository, spec, workspaces
from tests.adapters.task_specs import spec_of

__all__ = [
    "means",
    "mirrors",
    "pools",
    "recipes",
    "repository",
    "small_repositories_have_spares",
    "workspaces",
]


@pytest.fixture
async def stocked(workspaces: GitWorkspaces, repository: Path, branch: str) -> Path:
    """A task's worktree; its repository has spares, a layer and copies of that."""
    path = await workspaces.prepare(spec(repository))
    await workspaces.spares.filled()
    await workspaces.layers.copies.filled()
    return path


async def test_the_inventory_knows_all_kinds_and_what_is_in_use(
    stocked: Path, data_dir: Path
) -> None:
    assert len(stored(data_dir, StoredKind.SPARE)) == spares.KEPT
    assert all(each.is_removable for each in stored(data_dir, StoredKind.SPARE))
    assert len(stored(data_dir, StoredKind.COPY)) == 4
    assert all(each.is_removable for each in stored(data_dir, StoredKind.COPY))
    layer, cache = one(data_dir, StoredKind.LAYER), one(data_dir, StoredKind.CACHE)
    assert layer.is_in_use  # it was given to the task just now
    assert cache.is_in_use  # the task may use it
    worktree = one(data_dir, StoredKind.WORKTREE)
    assert (worktree.path, worktree.is_removable) == (str(stocked), False)
    assert worktree.has_work


async def test_pools_go_and_the_work_of_a_task_stays(
    stocked: Path, pools: DiskPools, data_dir: Path, repository: Path, git: Callable[..., str]
) -> None:
    (stocked / "unsaved.py").write_text("x\n")
    plan = await DiskBudget(data_dir, NOTHING, pools).sweep()

    assert {each.kind for each in stored(data_dir, *StoredKind)} == {
        StoredKind.LAYER,
        StoredKind.CACHE,
        StoredKind.WORKTREE,
    }
    assert (stocked / "unsaved.py").read_text() == "x\n"
    assert plan.missing_bytes > 0
    assert "1 worktree takes" in plan.words
    assert git(repository, "worktree", "list").count("\n") == 1
    assert git(repository, "fsck", "--strict") == ""


async def test_nothing_goes_within_the_budget(
    stocked: Path, pools: DiskPools, data_dir: Path
) -> None:
    before = stored(data_dir, *StoredKind)
    plan = await DiskBudget(data_dir, DiskLimits.of("1T", "1M"), pools).sweep()
    assert (plan.removed, plan.words) == ((), "")
    assert stored(data_dir, *StoredKind) == before


async def test_no_more_spares_go_than_must(stocked: Path, pools: DiskPools, data_dir: Path) -> None:
    everything = stored(data_dir, *StoredKind)
    used = sum(each.size_bytes for each in everything)
    await DiskBudget(data_dir, DiskLimits(budget_bytes=used - 1), pools).sweep()
    gone = {each.path for each in everything} - {
        each.path for each in stored(data_dir, *StoredKind)
    }
    assert len(gone) == 1


async def test_a_layer_that_nobody_used_for_long_goes_and_is_made_again(
    stocked: Path,
    pools: DiskPools,
    workspaces: GitWorkspaces,
    repository: Path,
    data_dir: Path,
) -> None:
    os.utime(one(data_dir, StoredKind.LAYER).path, (LONG_AGO, LONG_AGO))
    await DiskBudget(data_dir, NOTHING, pools).sweep()
    assert stored(data_dir, StoredKind.LAYER, StoredKind.TRASH) == []

    again = await workspaces.prepare(spec(repository, 2))
    assert (again / "deps" / "bin" / "tool").exists()
    await workspaces.layers.copies.filled()


async def test_a_layer_that_was_given_meanwhile_stays(
    stocked: Path, pools: DiskPools, data_dir: Path
) -> None:
    layer = one(data_dir, StoredKind.LAYER)
    assert not await pools.remove(layer.model_copy(update={"used_at": LONG_AGO}))
    assert one(data_dir, StoredKind.LAYER).path == layer.path


async def test_a_cache_goes_once_no_worktree_of_its_repository_is_left(
    stocked: Path,
    pools: DiskPools,
    workspaces: GitWorkspaces,
    repository: Path,
    data_dir: Path,
) -> None:
    cache = one(data_dir, StoredKind.CACHE)
    assert not await pools.remove(cache)
    await workspaces.release(spec(repository))
    await workspaces.spares.filled()
    assert await pools.remove(cache)
    await pools.empty()
    assert stored(data_dir, StoredKind.CACHE, StoredKind.TRASH) == []


async def test_tasks_that_take_spares_while_they_are_removed_are_whole(
    stocked: Path,
    pools: DiskPools,
    workspaces: GitWorkspaces,
    repository: Path,
    data_dir: Path,
    git: Callable[..., str],
) -> None:
    budget = DiskBudget(data_dir, NOTHING, pools)
    specs = [spec_of(repository, f"task-{number}") for number in range(10, 16)]

    sweeping = asyncio.create_task(budget.sweep())
    paths = await asyncio.gather(*map(workspaces.prepare, specs))
    await sweeping

    for path in paths:
        assert git(path, "status", "--porcelain", "--ignored") == ""
        assert (path / "app.py").read_text() == "print(1)\n"
    await workspaces.spares.filled()
    assert git(repository, "fsck", "--strict") == ""


async def test_pools_are_not_filled_again_while_the_disk_is_short(
    stocked: Path, pools: DiskPools, workspaces: GitWorkspaces, repository: Path, data_dir: Path
) -> None:
    await DiskBudget(data_dir, NOTHING, pools).sweep()
    await workspaces.prepare(spec(repository, 2))
    await workspaces.create_branch(str(repository), "treadle/other", "main")  # fills the spares
    await workspaces.spares.filled()
    await workspaces.layers.copies.filled()
    assert stored(data_dir, StoredKind.SPARE, StoredKind.COPY) == []


KILLED = """
import asyncio, sys
from pathlib import Path
from adapters.disk.inventory import Inventory
from adapters.disk.measuring import Measure
from adapters.git.trash import Trash
data_dir = Path(sys.argv[1])
trash = Trash(data_dir / "worktrees")
for stored in Inventory(data_dir).all(Measure(60)):
    if stored.kind in ("layer", "copy"):
        trash.bring(Path(stored.path))
print("thrown", flush=True)
asyncio.run(asyncio.sleep(600))
"""


async def test_what_a_killed_sweep_threw_away_is_trash_and_missed_by_nobody(
    stocked: Path,
    pools: DiskPools,
    workspaces: GitWorkspaces,
    repository: Path,
    data_dir: Path,
) -> None:
    killed = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, str(data_dir), stdout=asyncio.subprocess.PIPE
    )
    assert killed.stdout is not None
    assert await killed.stdout.readline() == b"thrown\n"
    killed.kill()
    await killed.wait()
    assert len(stored(data_dir, StoredKind.TRASH)) == 5

    again = await workspaces.prepare(spec(repository, 2))
    await workspaces.layers.copies.filled()
    assert (again / "deps" / "bin" / "tool").exists()
    await DiskBudget(data_dir, DiskLimits(budget_bytes=0), pools).sweep()
    assert stored(data_dir, StoredKind.TRASH) == []


class Told:
    """What people were told, and a disk whose free space a test sets."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.is_told = asyncio.Event()
        self.free = 10**9

    async def tell(self, _thread: str, words: str) -> None:
        self.words.append(words)
        self.is_told.set()


async def test_new_tasks_wait_for_room_and_those_under_way_go_on(
    stocked: Path,
    pools: DiskPools,
    workspaces: GitWorkspaces,
    repository: Path,
    data_dir: Path,
) -> None:
    told = Told()
    budget = DiskBudget(data_dir, DiskLimits.of(None, "5G"), pools, lambda _: told.free)
    room = RoomForTurns(budget, workspaces.checkouts.worktree, told.tell, look_seconds=0.01)
    await budget.look()
    assert stored(data_dir, StoredKind.SPARE, StoredKind.COPY) == []

    await ActivityEnvironment().run(room.admit, spec(repository))  # has its worktree
    assert told.words == []
    waiting = asyncio.create_task(ActivityEnvironment().run(room.admit, spec(repository, 2)))
    async with asyncio.timeout(60):
        await told.is_told.wait()
    assert not waiting.done()
    assert told.words[0].startswith("less than 5.0 GB are free on the disk of")
    told.free = 10**10
    async with asyncio.timeout(60):
        await waiting
    assert len(told.words) == 1
