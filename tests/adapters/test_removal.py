import asyncio
import contextlib
import os

import pytest

from adapters.files.removal import remove_tree


@pytest.mark.parametrize("made", ["file", "folder"])
def test_what_vanishes_while_a_folder_is_removed_is_no_error(tmp_path, monkeypatch, made):
    folder = tmp_path / "worktree"
    (folder / "objects").mkdir(parents=True)
    (folder / "index.lock").touch()
    scan = os.scandir

    @contextlib.contextmanager
    def scan_and_lose(place):
        with scan(place) as found:
            entries = list(found)
        if made == "file":
            (folder / "index.lock").unlink(missing_ok=True)
        elif (folder / "objects").exists():
            (folder / "objects").rmdir()
        yield entries

    monkeypatch.setattr(os, "scandir", scan_and_lose)
    remove_tree(folder)

    assert not folder.exists()


async def test_a_folder_that_is_still_written_to_is_removed(tmp_path):
    folder = tmp_path / "worktree"
    folder.mkdir()
    removal = asyncio.create_task(asyncio.to_thread(remove_tree, folder))
    for number in range(50):
        with contextlib.suppress(FileNotFoundError):
            (folder / f"late-{number}").touch()
        await asyncio.sleep(0)
    await removal

    assert not folder.exists()
