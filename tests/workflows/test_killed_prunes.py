"""A prune whose worker dies before or after each step: it goes on, and nothing goes unarchived."""

from pathlib import Path
from typing import Any

import pytest

from adapters.archives.archive_file import read_archive
from adapters.temporal.pruned import TemporalPrunedWorkflows
from domain.retention.events import PruneEnded, ThreadPruned
from tests.workflows.conftest import House
from tests.workflows.test_pruning import OLD, cancelled, everything_is_old, pruned

__all__ = ["everything_is_old"]
pytestmark = OLD

STEPS = ("archive", "delete", "await_end", "remove", "forget", "erase")


class WorkerDiedError(Exception):
    """Stands for the end of the worker: the attempt is lost, what it did is done."""


def dies_once(step: Any, *, after: bool) -> Any:
    """Return a step whose first attempt is lost, before or after it was carried out."""
    attempts = 0

    async def carried_out(*given: Any, **named: Any) -> Any:
        nonlocal attempts
        attempts += 1
        if attempts == 1 and not after:
            raise WorkerDiedError
        answer = await step(*given, **named)
        if attempts == 1:
            raise WorkerDiedError
        return answer

    return carried_out


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
async def test_a_prune_goes_on_where_its_worker_died(
    house: House,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    after: bool,
) -> None:
    shelf = tmp_path_factory.mktemp("archives")
    thread = await cancelled(house)
    journal, lifecycle = house.journal, house.lifecycle

    async def forget(stream: str) -> None:
        assert archived(shelf) > 0, "the events of a thread went before its archive was there"
        lifecycle.forgotten.append(stream)
        journal.events[:] = [e for e in journal.events if not e.stream.startswith(stream)]

    monkeypatch.setattr(lifecycle, "forget", forget)
    places = {"archive": house.archives, "remove": lifecycle, "forget": lifecycle}
    place: Any = places.get(step, TemporalPrunedWorkflows)
    monkeypatch.setattr(place, step, dies_once(getattr(place, step), after=after))

    started, receipt, ended = await pruned(
        house, f"prune-{step.replace('_', '-')}-{after}".lower(), thread, archive=str(shelf)
    )

    assert isinstance(receipt, ThreadPruned), receipt
    assert receipt.outcome == "deleted"
    assert ended == PruneEnded(prune_id=started.prune_id, pruned=1)
    assert archived(shelf) == receipt.events
    assert set(lifecycle.forgotten) == {thread}
    assert not [e for e in journal.events if e.stream.startswith(thread)]


def archived(shelf: Path) -> int:
    """Return how many events the one archive of a shelf has, which is whole; 0 without one."""
    files = [*shelf.iterdir()]
    assert len(files) <= 1
    if not files:
        return 0
    with files[0].open("rb") as stream:
        return read_archive(stream).events
