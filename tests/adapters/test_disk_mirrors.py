"""Mirrors and checkouts by URL on a disk that is over its budget, and where the limits come from."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from adapters.disk.budget import DiskBudget
from adapters.disk.pools import DiskPools
from adapters.git.remote.mirrors import Mirrors
from domain.core.remote_repositories import SCHEMES, RemoteRepository, read_remote
from domain.retention.disk import DiskLimits, StoredKind
from settings import SettingsError, load_settings
from tests.adapters.disk_lab import LONG_AGO, NOTHING, mirrors, pools
from tests.adapters.layer_lab import means, recipes, repository, workspaces

__all__ = ["means", "mirrors", "pools", "recipes", "repository", "workspaces"]


@pytest.fixture
def remote(repository: Path, tmp_path: Path, git: Callable[..., str]) -> RemoteRepository:
    bare = tmp_path / "origins" / "project.git"
    bare.parent.mkdir()
    git(tmp_path, "clone", "--quiet", "--bare", str(repository), str(bare))
    return read_remote(f"file://{bare}", SCHEMES)


def age(*places: Path) -> None:
    for place in places:
        os.utime(place, (LONG_AGO, LONG_AGO))


async def test_checkouts_by_url_go_first_and_their_mirror_with_the_next_sweep(
    remote: RemoteRepository, pools: DiskPools, mirrors: Mirrors, data_dir: Path
) -> None:
    budget = DiskBudget(data_dir, NOTHING, pools)
    place = await mirrors.checkout(await mirrors.resolve(remote))
    mirror = place.parents[2]
    await budget.sweep()
    assert place.is_dir()  # it was used just now

    age(place.parent / "ready", mirror / "url")
    await budget.sweep()
    assert not place.exists()
    age(mirror / "url")
    await budget.sweep()
    assert not mirror.exists()

    again = await mirrors.checkout(await mirrors.resolve(remote))
    assert (again / "app.py").read_text() == "print(1)\n"


async def test_a_checkout_by_url_with_work_of_a_thread_stays(
    remote: RemoteRepository,
    pools: DiskPools,
    mirrors: Mirrors,
    data_dir: Path,
    git: Callable[..., str],
) -> None:
    place = await mirrors.checkout(await mirrors.resolve(remote))
    git(place, "update-ref", "refs/treadle/thread-1/turn-1", "HEAD")
    age(place.parent / "ready", place.parents[2] / "url")
    plan = await DiskBudget(data_dir, NOTHING, pools).sweep()
    assert place.is_dir()
    assert StoredKind.CHECKOUT in {each.kind for each in plan.kept}


async def test_without_limits_nothing_is_looked_at(pools: DiskPools, data_dir: Path) -> None:
    budget = DiskBudget(data_dir, DiskLimits(), pools)
    async with asyncio.timeout(60):  # else it looks for ever
        await budget.keep()
    assert not budget.is_short()


def test_the_settings_say_the_limits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert not load_settings().disk_limits.is_set
    monkeypatch.setenv("TREADLE_DISK_BUDGET", "200G")
    monkeypatch.setenv("TREADLE_DISK_FREE", "")
    assert load_settings().disk_limits == DiskLimits(budget_bytes=200 * 10**9)
    monkeypatch.setenv("TREADLE_DISK_FREE", "some")
    with pytest.raises(SettingsError, match=r"TREADLE_DISK_FREE.*'some' is not a size"):
        load_settings()
