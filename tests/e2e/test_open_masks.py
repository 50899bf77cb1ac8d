"""Where the user's mask is 0, nothing of ours can be written by others: state, agents' homes, copies."""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import Job

pytestmark = pytest.mark.e2e
TREADLE = (sys.executable, "-P", "-m", "treadle")


@pytest.fixture
async def open_engine(tmp_path: Path):
    """An engine whose worker and API were started with no mask at all."""
    engine = Engine(tmp_path)
    await engine.start("temporal")
    for name in ("worker", "api"):
        (engine.settings.data_dir / "logs" / f"{name}.log").touch(mode=0o600)
    before = os.umask(0)
    try:
        await engine.start("worker", "api")
    finally:
        os.umask(before)
    yield engine
    engine.stop()


def writable_by_others(*places: Path) -> list[str]:
    return [str(path) for place in places for path in _within(place) if _mode(path) & 0o022]


def _within(place: Path) -> Iterator[Path]:
    yield place
    for above, folders, files in os.walk(place):
        yield from (Path(above, name) for name in (*folders, *files))


def _mode(path: Path) -> int:
    """Return who may do what; of what the engine has removed meanwhile, nobody anything."""
    try:
        found = path.lstat().st_mode
    except FileNotFoundError:
        return 0
    return 0 if stat.S_ISLNK(found) else stat.S_IMODE(found)


async def test_nothing_of_ours_is_written_by_others(open_engine: Engine, tmp_path: Path):
    copies = tmp_path / "copies"
    copies.mkdir(mode=0o755)
    (tmp_path / "job").mkdir()
    async with open_engine.http() as http:
        job = Job(open_engine, http, tmp_path / "job")
        await job.begin()
        await job.finish()
    for command in (
        ("backup", str(copies / "saved.tar")),
        ("export", job.thread, "--output", str(copies / "thread.md")),
        ("export", job.thread, "--format", "json", "--output", str(copies / "thread.json")),
    ):
        done = open_engine.run(*TREADLE, *command, umask=0)
        assert done.returncode == 0, done.stderr
    homes = list((open_engine.settings.data_dir / "agents").glob("*/*"))
    assert [home for home in homes if any(home.iterdir())]
    assert len(list(copies.iterdir())) == 3

    assert writable_by_others(open_engine.settings.data_dir, copies) == []
    assert _mode(copies / "saved.tar") == 0o600
