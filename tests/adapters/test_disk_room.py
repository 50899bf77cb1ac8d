"""A full disk is told in one sentence: where, how much is free, about how much is needed."""

import errno
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from adapters.disk_room import is_about_full_disk, is_full, no_room
from domain.core.text import size
from settings import Settings
from treadle import backup
from treadle.engine import EngineError

Usage = namedtuple("Usage", "total used free")


@pytest.fixture(autouse=True)
def disk(monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10_000, 9_000, 1_000))


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0 bytes"),
        (999, "999 bytes"),
        (1_000, "1.0 KB"),
        (1_530_000, "1.5 MB"),
        (2e15, "2000.0 TB"),
    ],
)
def test_sizes_read_as_people_write_them(number, said):
    assert size(number) == said


def test_a_sentence_names_the_folder_that_is_there(tmp_path):
    said = no_room(tmp_path / "gone" / "file", 2_000_000)
    assert (
        said
        == f"no space left on {tmp_path}: 1.0 KB free, needs about 2.0 MB; make room, then it goes on"
    )


@pytest.mark.parametrize(
    ("number", "full"), [(errno.ENOSPC, True), (errno.EDQUOT, True), (errno.EIO, False)]
)
def test_a_full_disk_is_told_from_other_errors(number, full):
    assert is_full(OSError(number, "x")) is full


def test_what_git_says_of_a_full_disk_is_known():
    assert is_about_full_disk("hint: x\nfatal: write error: No space left on device")
    assert not is_about_full_disk("fatal: bad object")


def test_a_backup_says_how_much_it_needs(tmp_path, monkeypatch):
    settings = Settings(data_dir=tmp_path)
    (tmp_path / "journal.db").write_bytes(b"x" * 5_000)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(backup, "_make", full)
    with pytest.raises(EngineError, match=r"no space left on .*: 1.0 KB free, needs about 10.0 KB"):
        backup.make_backup(settings, Path(tmp_path / "b.tar"))
