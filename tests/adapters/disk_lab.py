"""A data folder with real pools, and what is in it."""

from pathlib import Path

import pytest

from adapters.disk.inventory import Inventory
from adapters.disk.measuring import Measure
from adapters.disk.pools import DiskPools
from adapters.git import spares
from adapters.git.remote.mirrors import Mirrors
from adapters.git.workspaces import GitWorkspaces
from domain.retention.disk import DiskLimits, Stored, StoredKind
from tests.adapters.remote_lab import mirrors_in

LONG_AGO = 1_000_000.0
NOTHING = DiskLimits(budget_bytes=0)


@pytest.fixture(autouse=True)
def small_repositories_have_spares(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spares, "LEAST_INDEX_BYTES", 0)
    monkeypatch.setattr(spares, "LEAST_FREE_BYTES", 0)
    monkeypatch.setattr(spares, "QUIET_SECONDS", 0.0)


@pytest.fixture
def mirrors(data_dir: Path) -> Mirrors:
    return mirrors_in(data_dir)


@pytest.fixture
def pools(workspaces: GitWorkspaces, mirrors: Mirrors, data_dir: Path) -> DiskPools:
    return DiskPools(data_dir, workspaces.spares, workspaces.layers.copies, mirrors)


def stored(data_dir: Path, *kinds: StoredKind) -> list[Stored]:
    everything = Inventory(data_dir).all(Measure(60))
    return [each for each in everything if each.kind in kinds]


def one(data_dir: Path, kind: StoredKind) -> Stored:
    (found,) = stored(data_dir, kind)
    return found
