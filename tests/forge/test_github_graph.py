"""What GitHub alone has: its merge queue, and threads that its GraphQL gives page by page."""

from collections.abc import Iterator

import pytest

from domain.forges.errors import ForgeConflictError
from domain.forges.markers import bears
from domain.forges.projects import ForgeKind
from domain.forges.pull_requests import MergeTiming
from tests.forge.adapters import opened
from tests.forge.double import Double, forge_double


@pytest.fixture
def github() -> Iterator[Double]:
    with forge_double(ForgeKind.GITHUB) as double:
        yield double
    assert double.wrong == []


async def test_a_thread_of_more_than_a_page_is_read_and_answered_once(github: Double):
    it = await opened(github)
    thread = github.review_as("ann", it.pull, "commented", "Why?", path="greet.py", line=3)
    assert thread is not None
    for number in range(250):
        github.reply_as("bob", thread, f"Reason {number}")
    first = await it.look({})
    assert first.view is not None
    (seen,) = first.view.threads
    assert [c.body for c in seen.comments[1:]] == [f"Reason {n}" for n in range(250)]

    assert (await it.look(first.tags)).view is None
    made = await it.forges.reply(it.of, seen.id, "Fixed", "key")
    assert await it.forges.reply(it.of, seen.id, "Fixed", "key") == made
    assert [bears(c.body, "key") for c in thread.comments].count(True) == 1
    assert (await it.look(first.tags)).view is not None


async def test_nothing_is_written_where_a_thread_is_too_long_to_be_sure(github: Double):
    it = await opened(github)
    thread = github.review_as("ann", it.pull, "commented", "Why?", path="greet.py", line=3)
    assert thread is not None
    for number in range(1000):
        github.reply_as("bob", thread, f"Reason {number}")
    seen = (await it.view()).threads[0]
    with pytest.raises(ForgeConflictError, match="too many comments"):
        await it.forges.reply(it.of, seen.id, "Fixed", "key")

    assert sum(github.written.values()) == 0


async def test_what_is_ready_waits_in_the_queue_where_a_branch_has_one(github: Double):
    it = await opened(github)
    it.pull.project.has_queue = True
    request = it.merge_request(timing=MergeTiming.WHEN_READY)
    answer = await it.forges.merge(request)
    queued = await it.view()
    github.merge_ready()
    merged = await it.forges.merge(request)

    assert (answer.is_merged, queued.will_merge_itself) == (False, True)
    assert (merged.is_merged, merged.merge_commit) == (True, it.pull.merge_commit)


async def test_another_head_than_the_verified_one_does_not_enter_the_queue(github: Double):
    it = await opened(github)
    it.pull.project.has_queue = True
    request = it.merge_request(timing=MergeTiming.WHEN_READY)
    github.push_as(github.path, "treadle/greet")
    with pytest.raises(ForgeConflictError, match="somebody pushed"):
        await it.forges.merge(request)

    assert not it.pull.will_merge_itself


@pytest.mark.parametrize("has_queue", [False, True])
async def test_a_merge_that_is_under_way_is_taken_back(github: Double, has_queue: bool):
    it = await opened(github)
    it.pull.project.has_queue = has_queue
    github.set_check(it.pull.commit, "test", "pending")
    await it.forges.merge(it.merge_request(timing=MergeTiming.WHEN_READY))
    await it.forges.cancel_merge(it.of)
    await it.forges.cancel_merge(it.of)

    assert not it.pull.will_merge_itself


@pytest.mark.parametrize("has_queue", [False, True])
async def test_that_it_is_not_taken_back_is_said(github: Double, has_queue: bool):
    it = await opened(github)
    it.pull.project.has_queue, it.pull.is_stubborn = has_queue, True
    github.set_check(it.pull.commit, "test", "pending")
    await it.forges.merge(it.merge_request(timing=MergeTiming.WHEN_READY))
    with pytest.raises(ForgeConflictError, match=r"Can't disable|can't be removed"):
        await it.forges.cancel_merge(it.of)
