"""Archives of threads: whole, the same each time, and proven before they count, wherever they are."""

import io
import stat
import tarfile
from pathlib import Path

import obstore
import pytest

from adapters.archives.archive_file import Contents, manifest_for, read_archive
from adapters.archives.stores import store_at
from adapters.archives.thread_archives import JournalArchives
from adapters.journal import open_journal
from domain.core.errors import InvalidError
from domain.core.event import Event
from domain.core.ids import ThreadId
from domain.core.lifecycle.events import ThreadRenamed
from domain.retention.archives import (
    ArchiveCall,
    ArchiveError,
    ArchiveUnreachableError,
    DamagedArchiveError,
)
from domain.retention.policy import PrunableThread
from domain.tasks.events import VerificationStepEnded
from domain.threads.children.events import ChildOpened
from domain.verification.steps import StepResult
from tests.adapters import archive_lab
from tests.adapters.journal_writer import notice
from tests.free_ports import free_ports

THREAD = PrunableThread(thread_id=ThreadId("thread-a"), title="the title", changed=3)


@pytest.fixture(scope="module")
def server():
    with archive_lab.s3_server() as url:
        yield url


class Place:
    """Where archives are kept, and a way to look at it past the store."""

    def __init__(self, location: str, folder: Path | None) -> None:
        self.location = location
        self._folder = folder

    def names(self) -> list[str]:
        if self._folder is None:
            return [name.removeprefix("team/one/") for name in archive_lab.names()]
        return sorted(each.name for each in self._folder.iterdir())

    def content(self, name: str) -> bytes:
        if self._folder is None:
            return bytes(obstore.get(archive_lab.bucket(), f"team/one/{name}").bytes())
        return (self._folder / name).read_bytes()

    def put(self, name: str, content: bytes) -> None:
        if self._folder is None:
            obstore.put(archive_lab.bucket(), f"team/one/{name}", content)
        else:
            (self._folder / name).write_bytes(content)


@pytest.fixture(params=["folder", "bucket"])
def place(request, tmp_path, monkeypatch):
    if request.param == "bucket":
        archive_lab.use_server(request.getfixturevalue("server"), monkeypatch)
        return Place(archive_lab.BUCKET, None)
    folder = tmp_path / "archives"
    folder.mkdir()
    return Place(str(folder), folder)


@pytest.fixture
async def journal(tmp_path):
    async with open_journal(f"sqlite+aiosqlite:///{tmp_path / 'journal.db'}") as opened:
        yield opened


@pytest.fixture
def archives(journal, data_dir):
    return JournalArchives(journal, data_dir, archive_lab.KEYS)


@pytest.fixture
async def call(journal, place):
    reference = await journal.put_text("what the command printed, with an ü")
    step = StepResult(step_id="test", passed=True, output_ref=reference)
    ended = VerificationStepEnded(attempt=1, result=step)
    at = notice("a", 1).at
    await journal.append(
        [
            notice("a", 1),
            Event(id="step", stream="thread-a/task-1", at=at, body=ended),
            notice("ab", 1),
            Event(id="renamed", stream="thread-a", at=at, body=ThreadRenamed(topic="x")),
        ]
    )
    return ArchiveCall(thread=THREAD, location=place.location)


def unpacked(content: bytes, folder: Path):
    manifest = read_archive(io.BytesIO(content), folder)
    return manifest, {f.relative_to(folder).as_posix(): f.read_text() for f in folder.rglob("*.*")}


async def test_an_archive_has_the_thread_and_nothing_else(archives, call, place, tmp_path):
    kept = await archives.archive(call)

    (name,) = place.names()
    assert kept.place == f"{place.location}/{name}"
    assert (kept.size_bytes, kept.position) == (len(place.content(name)), 4)
    manifest, files = unpacked(place.content(name), tmp_path / "unpacked")
    assert (manifest.thread, manifest.events, manifest.missing) == (THREAD, 3, ())
    assert manifest.name == name
    lines = files["events.jsonl"].splitlines()
    assert [("thread-ab" in line, '"kind":' in line) for line in lines] == [(False, True)] * 3
    (text,) = (tmp_path / "unpacked" / "texts").iterdir()
    assert text.read_text() == "what the command printed, with an ü"


async def test_an_archive_names_the_children_of_its_thread(archives, journal, call, place):
    body = ChildOpened(task_id="build", run=1, thread_id="thread-a-build")
    await journal.append([Event(id="c", stream="thread-a", at=notice("a", 1).at, body=body)])
    await archives.archive(call)
    (name,) = place.names()
    assert read_archive(io.BytesIO(place.content(name))).children == ("thread-a-build",)


async def test_the_same_thread_again_is_the_same_file(archives, call, place):
    first = await archives.archive(call)
    assert await archives.archive(call) == first
    assert len(place.names()) == 1


async def test_a_cut_off_archive_is_written_again(archives, call, place):
    first = await archives.archive(call)
    (name,) = place.names()
    whole = place.content(name)
    place.put(name, whole[: len(whole) // 2])

    assert await archives.archive(call) == first
    assert place.content(name) == whole


async def test_what_is_not_kept_as_it_was_written_does_not_count(
    archives, call, place, monkeypatch
):
    store = store_at(place.location, Path("/nowhere"), archive_lab.KEYS)

    async def cut(self, name, content):
        place.put(name, b"x" + content.read(20))

    monkeypatch.setattr(type(store), "put", cut)
    with pytest.raises(DamagedArchiveError, match="not there as it was written"):
        await archives.archive(call)


async def test_archives_are_listed(archives, call, place, data_dir):
    await archives.archive(call)
    place.put("thread-x.txt", b"not one of ours")
    (listed,) = await store_at(call.location, data_dir, archive_lab.KEYS).listed()
    assert listed.name in place.names()
    assert listed.size_bytes == len(place.content(listed.name))


async def test_making_one_leaves_nothing_behind(archives, call, data_dir):
    await archives.archive(call)
    assert list(data_dir.iterdir()) == []


async def test_a_folder_has_files_of_its_user_only(archives, journal, call, place, tmp_path):
    if place.location.startswith("s3"):
        return
    await archives.archive(call)
    (file,) = (tmp_path / "archives").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("location", "why"),
    [("/nowhere/at/all", "is no folder of this host"), ("DATA/x", "own data folder")],
)
async def test_a_folder_that_is_none_is_refused(archives, data_dir, location, why):
    (data_dir / "x").mkdir()
    location = location.replace("DATA", str(data_dir))
    with pytest.raises(ArchiveError, match=why):
        await archives.archive(ArchiveCall(thread=THREAD, location=location))


async def test_a_bucket_without_credentials_is_refused(journal, data_dir):
    archives = JournalArchives(journal, data_dir, {})
    with pytest.raises(ArchiveError, match="AWS_ACCESS_KEY_ID"):
        await archives.archive(ArchiveCall(thread=THREAD, location="s3://some-bucket"))


async def test_a_bucket_that_is_not_there_is_named(archives, server, monkeypatch):
    archive_lab.use_server(server, monkeypatch)
    with pytest.raises(ArchiveError, match="s3://no-such-bucket: there is no such bucket"):
        await archives.archive(ArchiveCall(thread=THREAD, location="s3://no-such-bucket"))


async def test_a_server_that_does_not_answer_can_be_tried_again(archives, monkeypatch):
    (free_port,) = free_ports(1)
    for name, value in archive_lab.KEYS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port}")
    with pytest.raises(ArchiveUnreachableError, match="does not answer") as raised:
        await archives.archive(ArchiveCall(thread=THREAD, location=archive_lab.BUCKET))
    assert archive_lab.KEYS["AWS_SECRET_ACCESS_KEY"] not in str(raised.value)


@pytest.mark.parametrize("name", ["../outside", "/etc/outside", "texts/../../outside"])
def test_a_forged_archive_writes_nothing_outside(name, tmp_path):
    contents = Contents(io.BytesIO())
    contents.add(b"x")
    contents.end(name)
    file = io.BytesIO()
    contents.write(manifest_for(THREAD, 0, ()), file)
    with pytest.raises(DamagedArchiveError, match="outside"):
        read_archive(file, tmp_path / "to")
    assert not (tmp_path / "outside").exists()


def test_what_is_no_archive_is_refused(tmp_path):
    other = io.BytesIO()
    with tarfile.open(fileobj=other, mode="w:gz") as tar:
        tar.addfile(tarfile.TarInfo("x"))
    for content in (b"", b"text", other.getvalue()):
        with pytest.raises(DamagedArchiveError):
            read_archive(io.BytesIO(content))


@pytest.mark.parametrize(
    "location", ["", "relative", "/a/../b", "s3://", "s3://UP", "s3://b/x", "s3://bucket/../x"]
)
async def test_a_place_that_is_none_is_refused(archives, location):
    with pytest.raises(InvalidError, match="no place for archives"):
        await archives.archive(ArchiveCall(thread=THREAD, location=location))
