"""A worker killed with -9 at each step of an archive: what has an archive's name is whole."""

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from adapters.archives.archive_file import read_archive
from adapters.journal import open_journal
from domain.retention.archives import is_archive_name
from tests.adapters.journal_writer import notice
from tests.adapters.killed_archiver import STEPS, archive

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("step", STEPS)
async def test_a_killed_archive_is_finished_by_the_next_attempt(step, tmp_path, data_dir):
    shelf = tmp_path / "archives"
    shelf.mkdir()
    database = f"sqlite+aiosqlite:///{tmp_path / 'journal.db'}"
    async with open_journal(database) as journal:
        await journal.append([notice("a", n) for n in range(50)])

    def whole() -> list[Path]:
        found = [file for file in shelf.iterdir() if is_archive_name(file.name)]
        for file in found:
            with file.open("rb") as stream:
                assert read_archive(stream).events == 50
        return found

    module = ("-m", "tests.adapters.killed_archiver")
    given = (database, str(data_dir), str(shelf), step)
    killed = await asyncio.create_subprocess_exec(sys.executable, *module, *given, cwd=ROOT)
    assert await killed.wait() == -signal.SIGKILL
    whole()

    again = await archive(database, data_dir, str(shelf))
    assert [str(file) for file in whole()] == [again.place]
    assert [str(file) for file in shelf.iterdir()] == [again.place]
    assert list(data_dir.iterdir()) == []
