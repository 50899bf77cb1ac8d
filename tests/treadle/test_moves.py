"""Moves of a restore: to another disk as well, begun again where they were cut off, over nothing."""

import errno
import shutil
from pathlib import Path

import pytest

from treadle.moves import move, set_aside


@pytest.fixture
def other_disk(monkeypatch: pytest.MonkeyPatch):
    """Every first rename between two folders is told to be one between two disks."""
    rename = Path.rename

    def refused(self: Path, target: Path) -> Path:
        if self.parent != Path(target).parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", refused)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "here" / "folder").mkdir(parents=True)
    (tmp_path / "there").mkdir()
    (tmp_path / "here" / "folder" / "file").write_text("kept")
    (tmp_path / "here" / "folder" / "link").symlink_to("nowhere")
    return tmp_path / "here" / "folder"


def names(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


@pytest.mark.usefixtures("other_disk")
def test_a_folder_goes_to_another_disk_with_its_links(source: Path, tmp_path: Path):
    move(source, tmp_path / "there" / "moved")

    assert names(tmp_path / "there") == ["moved"]
    assert (tmp_path / "there" / "moved" / "file").read_text() == "kept"
    assert (tmp_path / "there" / "moved" / "link").readlink() == Path("nowhere")
    assert not source.exists()


@pytest.mark.usefixtures("other_disk")
def test_a_move_to_another_disk_that_was_cut_off_is_begun_again(source: Path, tmp_path: Path):
    half = tmp_path / "there" / ".moved.moved"
    half.mkdir()
    (half / "file").write_text("ke")

    move(source, tmp_path / "there" / "moved")

    assert names(tmp_path / "there") == ["moved"]
    assert (tmp_path / "there" / "moved" / "file").read_text() == "kept"


@pytest.mark.usefixtures("other_disk")
def test_a_move_that_fails_leaves_its_source_and_no_half(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(shutil, "copy2", full)
    with pytest.raises(OSError, match="No space left"):
        move(source / "file", tmp_path / "there" / "moved")

    assert names(tmp_path / "there") == []
    assert (source / "file").read_text() == "kept"


def test_what_is_aside_already_is_not_written_over(tmp_path: Path):
    for text in ("first", "second", "third"):
        (tmp_path / "journal.db").write_text(text)
        set_aside(tmp_path / "journal.db", tmp_path / "aside")

    kept = {file.name: file.read_text() for file in (tmp_path / "aside").iterdir()}
    assert kept == {"journal.db": "first", "journal.db.2": "second", "journal.db.3": "third"}
