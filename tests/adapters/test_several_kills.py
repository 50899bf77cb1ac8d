"""Merges into several repositories whose worker is killed, or whose branches are moved by others, at any moment."""

import pytest

from tests.adapters.moments import KilledError, Moments, kill
from tests.adapters.task_specs import BRANCH, settle_of

MOST_COMMANDS = 100
MOVING = ("update-ref", "rev-parse")
"""The commands that look at branches and move them: only around these a kill can do harm."""


@pytest.fixture
def moments(monkeypatch):
    return Moments(monkeypatch)


async def ready(lab, task):
    """Return what settles a task that changed both repositories."""
    spec, commit = await lab.worked(task, **{f"own_{task}": "1\n", f"api_{task}": "1\n"})
    return settle_of(spec, commit, f"merge-{task}")


def count_of_merges(lab, repository, key):
    form = "--format=%(trailers:key=Treadle-Merge,valueonly)"
    return lab.git(repository, "log", "--first-parent", form, BRANCH).split().count(key)


async def test_a_kill_at_any_command_never_leaves_a_half(lab, moments):
    for number in range(1, MOST_COMMANDS):
        task = f"task-{number}"
        call = await ready(lab, task)
        moments.at(number, kill, *MOVING)
        try:
            result = await lab.port.settle(call)
        except KilledError:
            lab.port = lab.restarted()
            result = await lab.port.settle(call)

        assert result.commit == lab.tips()[0]
        assert [count_of_merges(lab, each, call.key) for each in (lab.own, lab.api)] == [1, 1]
        if not moments.is_over:
            break
    else:
        pytest.fail("it was killed at every command")


async def test_a_worker_that_starts_ends_what_a_killed_one_left(lab, moments):
    halves = 0
    for number in range(1, MOST_COMMANDS):
        task = f"task-{number}"
        call = await ready(lab, task)
        moments.at(number, kill, "update-ref")
        try:
            await lab.port.settle(call)
        except KilledError:
            halves += lab.has(lab.own, task) != lab.has(lab.api, task)
            await lab.restarted().recover()

        assert lab.has(lab.own, task) == lab.has(lab.api, task)
        if not moments.is_over:
            break
    assert halves > 0


@pytest.mark.parametrize("place", ["own", "api"])
async def test_a_branch_that_somebody_moves_at_any_moment_keeps_theirs(lab, moments, place):
    repository = getattr(lab, place)
    for number in range(1, MOST_COMMANDS):
        task, theirs = f"task-{number}", f"theirs-{number}"
        call = await ready(lab, task)
        moments.at(number, lambda name=theirs: lab.moved_by_somebody(repository, name), *MOVING)
        result = await lab.port.settle(call)

        assert result.commit
        assert lab.has(lab.own, task)
        assert lab.has(lab.api, task)
        if not moments.is_over:
            break
        assert lab.has(repository, theirs)
    else:
        pytest.fail("it never ended undisturbed")


async def test_what_was_moved_is_put_back_where_another_branch_was_moved(lab, moments):
    """The worker is killed between the two moves, and somebody moves the second branch."""
    call, before = await ready(lab, "task-1"), lab.tips()
    moments.at(2, kill, "update-ref")
    with pytest.raises(KilledError):
        await lab.port.settle(call)
    assert (lab.has(lab.own, "task-1"), lab.has(lab.api, "task-1")) == (False, True)

    moved = lab.moved_by_somebody(lab.own, "theirs")
    await lab.restarted().recover()

    assert lab.tips() == (moved, before[1])
    assert not list((lab.data_dir / "moves").iterdir())


async def test_what_somebody_built_on_a_half_is_not_lost_and_the_next_try_merges_the_rest(
    lab, moments
):
    """The worst that can be: two branches are moved by others before the next worker starts."""
    call = await ready(lab, "task-1")
    moments.at(2, kill, "update-ref")
    with pytest.raises(KilledError):
        await lab.port.settle(call)
    lab.moved_by_somebody(lab.api, "on-top")
    lab.moved_by_somebody(lab.own, "theirs")

    lab.port = lab.restarted()
    result = await lab.port.settle(call)

    assert result.commit == lab.tips()[0]
    assert [lab.has(lab.own, name) for name in ("task-1", "theirs")] == [True, True]
    assert [lab.has(lab.api, name) for name in ("task-1", "on-top")] == [True, True]
