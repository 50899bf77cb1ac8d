"""Prunes with an archive, on a real server: a thread goes when it is kept elsewhere, and not before."""

import hashlib
from pathlib import Path

import pytest

from adapters.archives.archive_file import read_archive
from adapters.temporal.pruned import TemporalPrunedWorkflows
from domain.core.command import Command
from domain.core.ids import ThreadId
from domain.core.lifecycle.commands import Rename
from domain.retention.archives import ArchiveCall, ArchivedThread
from domain.retention.events import PruneSkipped, ThreadPruned
from tests.workflows.conftest import House
from tests.workflows.test_pruning import OLD, cancelled, everything_is_old, has_history, pruned

__all__ = ["everything_is_old"]
pytestmark = OLD


def kept(shelf: Path) -> list[Path]:
    return [*shelf.iterdir()]


@pytest.fixture
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("archives")


async def test_a_thread_is_archived_before_it_goes(house: House, shelf: Path) -> None:
    thread = await cancelled(house)
    _, receipt, _ = await pruned(house, "prune-archived", thread, archive=str(shelf))

    (file,) = kept(shelf)
    assert isinstance(receipt, ThreadPruned)
    assert receipt.archive == str(file)
    assert receipt.archive_sha256 == hashlib.sha256(file.read_bytes()).hexdigest()
    with file.open("rb") as stream:
        manifest = read_archive(stream)
    told = [e.body.kind for e in house.journal.events if e.stream.startswith(thread)]
    before = told.index("deletion_requested")
    assert (manifest.thread.thread_id, manifest.events) == (thread, before)
    assert house.lifecycle.forgotten == [thread]


async def test_a_thread_that_cannot_be_archived_stays(house: House, shelf: Path) -> None:
    thread = await cancelled(house)
    place = str(shelf / "not-made")

    _, skipped, _ = await pruned(house, "prune-nowhere", thread, archive=place)

    assert isinstance(skipped, PruneSkipped)
    assert skipped.reason.startswith(f"it cannot be archived: {place} is no folder of this host")
    assert (house.lifecycle.removals, house.lifecycle.forgotten) == ([], [])
    assert await has_history(house, thread)


async def test_what_changed_after_it_was_archived_stays(
    house: House, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await cancelled(house)
    archives = house.archives
    assert archives is not None
    archive = archives.archive

    async def meddle(call: ArchiveCall) -> ArchivedThread:
        archived = await archive(call)
        await house.send(thread, Rename(topic="wait", by="tester"))
        await house.seen(thread, "thread_renamed")
        return archived

    monkeypatch.setattr(archives, "archive", meddle)
    _, skipped, _ = await pruned(house, "prune-meddled", thread, archive=str(shelf))

    assert isinstance(skipped, PruneSkipped)
    assert skipped.reason == "it changed after it was archived"
    assert house.lifecycle.removals == []


async def test_what_changed_right_before_it_would_go_stays(
    house: House, shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    thread = await cancelled(house)
    delete = TemporalPrunedWorkflows.delete

    async def meddle(self: TemporalPrunedWorkflows, name: ThreadId, command: Command) -> None:
        if name == thread:
            await house.send(name, Rename(topic="wait", by="tester"))
        await delete(self, name, command)

    monkeypatch.setattr(TemporalPrunedWorkflows, "delete", meddle)
    _, skipped, _ = await pruned(house, "prune-late", thread, archive=str(shelf))

    assert isinstance(skipped, PruneSkipped)
    assert skipped.reason == "it changed after it was archived"
    assert (house.lifecycle.removals, house.lifecycle.forgotten) == ([], [])

    monkeypatch.setattr(TemporalPrunedWorkflows, "delete", delete)
    _, receipt, _ = (await pruned(house, "prune-then", thread, archive=str(shelf)))[-3:]
    assert isinstance(receipt, ThreadPruned)
    assert len(kept(shelf)) == 2
