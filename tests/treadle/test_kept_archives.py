"""Archives as a person reads them, with nothing of Treadle running."""

import io
import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapters.archives.archive_file import Contents, manifest_for
from cli.core.errors import CommandError
from domain.core.ids import ThreadId
from domain.retention.archives import EVENTS
from domain.retention.policy import PrunableThread
from settings import Settings
from treadle.archive_commands import app
from treadle.kept_archives import listed, shown

THREAD = PrunableThread(thread_id=ThreadId("thread-a-1a2b3c"), title="the title")


def put(folder: Path, events: bytes, at: int, thread: PrunableThread = THREAD) -> str:
    """Put an archive into a folder; returns its name."""
    contents, file = Contents(io.BytesIO()), io.BytesIO()
    contents.add(events)
    contents.end(EVENTS)
    name = contents.write(manifest_for(thread, 1, ()), file).name
    (folder / name).write_bytes(file.getvalue())
    os.utime(folder / name, (at, at))
    return name


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    folder = tmp_path / "archives"
    folder.mkdir()
    return folder


@pytest.fixture
def settings(tmp_path: Path, shelf: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", archive=str(shelf))


def test_a_thread_is_shown_by_its_newest_archive(settings: Settings, shelf: Path, tmp_path: Path):
    old, new = put(shelf, b"old", 1), put(shelf, b"new", 2)
    longer = THREAD.model_copy(update={"thread_id": ThreadId(f"{THREAD.thread_id}-b")})
    put(shelf, b"other", 3, longer)
    assert {old, new} < {each.name for each in listed(settings, None)}

    found = shown(settings, THREAD.thread_id, None, tmp_path / "out")
    assert found.place == str(shelf / new)
    assert (tmp_path / "out" / EVENTS).read_text() == "new"
    assert shown(settings, old, None, None).place == str(shelf / old)
    with pytest.raises(CommandError, match="is there already"):
        shown(settings, old, None, tmp_path / "out")
    assert (tmp_path / "out" / EVENTS).read_text() == "new"


def test_a_damaged_archive_is_refused_and_not_unpacked(
    settings: Settings, shelf: Path, tmp_path: Path
):
    name = put(shelf, b"events", 1)
    file = shelf / name
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(CommandError, match=f"{name}: it is no archive of a thread, or truncated"):
        shown(settings, name, None, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["thread-gone", "../../etc/passwd", "", "x\n"])
def test_what_is_no_archive_is_one_sentence(settings: Settings, name: str):
    with pytest.raises(CommandError, match="there is no archive of"):
        shown(settings, name, None, None)


def test_a_place_must_be_named(tmp_path: Path):
    bare = Settings(data_dir=tmp_path, archive=None)
    with pytest.raises(CommandError, match="TREADLE_ARCHIVE"):
        listed(bare, None)
    with pytest.raises(CommandError, match="is no folder of this host"):
        listed(bare, str(tmp_path / "none"))
    with pytest.raises(CommandError, match="is no place for archives"):
        listed(bare, "s3://")


def test_the_commands_print_them(shelf: Path):
    name = put(shelf, b"events", 1)
    where = ["--archive", str(shelf)]
    drawn = CliRunner().invoke(app, ["archives", "list", *where], env={"COLUMNS": "200"})
    assert (drawn.exit_code, name in drawn.output.replace("\n", "")) == (0, True)
    told = CliRunner().invoke(app, ["archives", "show", THREAD.thread_id, *where, "--json"])
    assert json.loads(told.stdout)["manifest"]["thread"]["title"] == "the title"
    told = CliRunner().invoke(app, ["archives", "show", THREAD.thread_id, *where])
    assert "1 events, 0 texts and files" in told.output
