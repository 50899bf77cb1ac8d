"""How much room folders take."""

import os
from pathlib import Path

import pytest

from adapters.disk.measuring import Measure, Measured

KB = 1 << 10


def put(file: Path, size: int = 64 * KB) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(os.urandom(size))
    return file


def test_a_file_with_two_names_counts_once_where_it_is_found_first(tmp_path: Path) -> None:
    first = put(tmp_path / "mirror" / "pack")
    (tmp_path / "checkout").mkdir()
    os.link(first, tmp_path / "checkout" / "pack")
    measure = Measure(60)

    mirror = measure.of(tmp_path / "mirror").size_bytes
    checkout = measure.of(tmp_path / "checkout").size_bytes

    assert mirror >= 64 * KB
    assert checkout < 64 * KB


def test_nothing_behind_a_link_counts(tmp_path: Path) -> None:
    put(tmp_path / "elsewhere" / "large", 512 * KB)
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "folder").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "here" / "file").symlink_to(tmp_path / "elsewhere" / "large")
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")

    assert Measure(60).of(tmp_path / "here").size_bytes < 512 * KB
    assert Measure(60).of(tmp_path / "link") == Measured()


def test_what_is_gone_or_is_a_file_takes_nothing(tmp_path: Path) -> None:
    assert Measure(60).of(tmp_path / "none") == Measured()
    assert Measure(60).of(put(tmp_path / "file")) == Measured()


def test_a_sparse_file_counts_by_its_blocks(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    with (tmp_path / "here" / "sparse").open("wb") as file:
        file.truncate(1 << 30)
    assert Measure(60).of(tmp_path / "here").size_bytes < 1 << 20


def test_the_newest_change_below_is_told(tmp_path: Path) -> None:
    file = put(tmp_path / "here" / "deep" / "file")
    for place in (file, file.parent, tmp_path / "here"):
        os.utime(place, (1_000, 1_000))
    os.utime(file, (5_000, 5_000))
    assert Measure(60).of(tmp_path / "here").changed_at == pytest.approx(5_000)


def test_without_time_left_it_says_that_it_is_not_whole(tmp_path: Path) -> None:
    put(tmp_path / "here" / "file")
    measure = Measure(-1)
    assert measure.of(tmp_path / "here").size_bytes < 64 * KB
    assert not measure.is_whole


def test_what_does_not_change_is_measured_once(tmp_path: Path) -> None:
    known = dict[tuple[str, int], Measured]()
    put(tmp_path / "layer" / "file")
    before = Measure(60, known).of_unchanging(tmp_path / "layer")
    put(tmp_path / "layer" / "other", 512 * KB)

    assert Measure(60, known).of_unchanging(tmp_path / "layer") == before
    (tmp_path / "layer").rename(tmp_path / "moved")
    assert Measure(60, known).of_unchanging(tmp_path / "moved").size_bytes > before.size_bytes
