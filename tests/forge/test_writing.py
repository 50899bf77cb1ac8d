"""Comments, replies, edits and merges, the same on every forge: nothing twice."""

import pytest

from domain.forges.errors import ForgeBusyError, ForgeConflictError
from domain.forges.markers import bears, marked
from domain.forges.projects import ForgeKind
from domain.forges.pull_requests import MAX_FORGE_BODY, MergeMethod, MergeTiming
from tests.forge.adapters import Opened, opened
from tests.forge.double import Double
from tests.forge.moods import Mood, Moods

WHEN_READY = MergeTiming.WHEN_READY


async def thread_of(it: Opened) -> str:
    it.double.review_as("ann", it.pull, "commented", "Why?", path="greet.py", line=3)
    return (await it.view()).threads[0].id


async def test_a_reply_is_written_once_for_each_key(double: Double):
    it = await opened(double)
    thread = await thread_of(it)
    first = await it.forges.reply(it.of, thread, "Fixed", "key-1")
    again = await it.forges.reply(it.of, thread, "Fixed", "key-1")
    other = await it.forges.reply(it.of, thread, "Fixed", "key-2")

    assert first == again != other
    assert sum(double.written.values()) == 2
    assert bears(it.pull.threads[0].comments[1].body, "key-1")


@pytest.mark.parametrize("what", ["reply", "comment"])
async def test_what_was_written_before_its_answer_was_lost_is_found(double: Double, what: str):
    it = await opened(double)
    thread = await thread_of(it)
    write = it.forges.comment if what == "comment" else it.forges.reply
    given = (it.of, "Fixed", "key") if what == "comment" else (it.of, thread, "Fixed", "key")
    double.moods = Moods(seed=3, rate=0.5, slow_seconds=0)
    for _ in range(200):
        try:
            await write(*given)
            break
        except ForgeBusyError:
            continue

    assert double.written == {marked("Fixed", "key"): 1}


async def test_somebody_who_copies_our_mark_does_not_keep_us_from_writing(double: Double):
    it = await opened(double)
    double.comment_as("eve", it.pull, marked("Mine", "key"))
    await it.forges.comment(it.of, "Ours", "key")

    assert double.written == {marked("Ours", "key"): 1}


async def test_a_comment_is_replaced_where_its_text_changed(double: Double):
    it = await opened(double)
    first = await it.forges.comment(it.of, "Running", "key")
    second = await it.forges.comment(it.of, "Done", "key")

    assert first == second
    assert [c.body for c in it.pull.comments] == [marked("Done", "key")]


async def test_an_answer_to_a_comment_on_the_whole_is_a_comment(double: Double):
    it = await opened(double)
    double.comment_as("ann", it.pull, "Nice")
    (thread,) = (await it.view()).threads
    await it.forges.reply(it.of, thread.id, "Thanks", "key")
    await it.forges.resolve(it.of, thread.id)

    assert [c.body for c in it.pull.comments] == ["Nice", marked("Thanks", "key")]


async def test_a_thread_is_resolved(double: Double):
    it = await opened(double)
    thread = await thread_of(it)
    await it.forges.resolve(it.of, thread)
    await it.forges.resolve(it.of, thread)

    assert (await it.view()).threads[0].is_resolved


async def test_body_and_base_are_replaced(double: Double):
    it = await opened(double)
    double.push_as(double.path, "release")
    await it.forges.edit(it.of, body="New")
    await it.forges.edit(it.of, base="release")

    assert (it.pull.body, it.pull.base) == ("New", "release")


@pytest.mark.parametrize("body", ["", "One\r\n\nTwo \u2028 \U0001f9f5", "x" * MAX_FORGE_BODY])
async def test_the_whole_text_is_read_and_written_as_it_is(double: Double, body: str):
    it = await opened(double)
    await it.forges.edit(it.of, body=body)

    assert await it.forges.body(it.of) == body


async def test_closing_twice_is_fine(double: Double):
    it = await opened(double)
    await it.forges.close(it.of)
    await it.forges.close(it.of)

    assert it.pull.state == "closed"


@pytest.mark.parametrize("method", list(MergeMethod))
async def test_a_merge_takes_the_method_that_was_asked_for(double: Double, method: MergeMethod):
    it = await opened(double)
    it.pull.project.merge_method = method.value
    answer = await it.forges.merge(it.merge_request(method=method))
    again = await it.forges.merge(it.merge_request(method=method))

    assert answer == again
    assert (answer.is_merged, answer.merge_commit) == (True, it.pull.merge_commit)
    assert double.merges == [(double.path, it.of.number, method.value)]


async def test_gitlab_merges_as_its_project_does_or_not_at_all(double: Double):
    if double.kind is not ForgeKind.GITLAB:
        return
    it = await opened(double)
    with pytest.raises(ForgeConflictError, match="merge method"):
        await it.forges.merge(it.merge_request(method=MergeMethod.REBASE))

    assert double.merges == []


@pytest.mark.parametrize("timing", list(MergeTiming))
async def test_another_head_than_the_verified_one_is_not_merged(
    double: Double, timing: MergeTiming
):
    it = await opened(double)
    request = it.merge_request(timing=timing)
    double.push_as(double.path, "treadle/greet")
    with pytest.raises(ForgeConflictError, match="somebody pushed"):
        await it.forges.merge(request)

    assert double.merges == []


async def test_a_protected_branch_is_not_merged_into(double: Double):
    it = await opened(double)
    it.pull.project.protected.add("main")
    with pytest.raises(ForgeConflictError, match="protected"):
        await it.forges.merge(it.merge_request())

    assert double.merges == []


async def test_what_was_closed_by_hand_is_not_merged(double: Double):
    it = await opened(double)
    double.close_by_hand(it.pull)
    with pytest.raises(ForgeConflictError, match="closed"):
        await it.forges.merge(it.merge_request())


async def test_what_was_merged_behind_our_back_is_an_answer(double: Double):
    it = await opened(double)
    commit = double.merge_by_hand(it.pull)
    answer = await it.forges.merge(it.merge_request())

    assert (answer.is_merged, answer.merge_commit) == (True, commit)
    assert double.merges == []


async def test_the_forge_merges_by_itself_once_its_checks_have_passed(double: Double):
    it = await opened(double)
    double.set_check(it.pull.commit, "test", "pending")
    request = it.merge_request(timing=WHEN_READY)
    first = await it.forges.merge(request)
    again = await it.forges.merge(request)
    double.set_check(it.pull.commit, "test", "passed")

    assert (first.is_merged, again.is_merged, it.pull.state) == (False, False, "merged")


async def test_what_is_ready_is_merged_at_once(double: Double):
    it = await opened(double)

    assert (await it.forges.merge(it.merge_request(timing=WHEN_READY))).is_merged


async def test_that_it_merges_by_itself_is_taken_back(double: Double):
    it = await opened(double)
    double.set_check(it.pull.commit, "test", "pending")
    await it.forges.merge(it.merge_request(timing=WHEN_READY))
    await it.forges.cancel_merge(it.of)
    await it.forges.cancel_merge(it.of)
    double.set_check(it.pull.commit, "test", "passed")

    assert it.pull.state == "open"


async def test_a_merge_whose_answer_was_lost_is_an_answer_when_asked_again(double: Double):
    it = await opened(double)
    double.moods = Moods(seed=1, rate=0.5, slow_seconds=0, kinds=(Mood.ANSWER_LOST,))
    for _ in range(100):
        try:
            answer = await it.forges.merge(it.merge_request())
            break
        except ForgeBusyError:
            continue

    assert answer.is_merged
    assert len(double.merges) == 1


async def test_a_branch_is_deleted_only_where_it_was_left(double: Double):
    it = await opened(double)
    branches = it.pull.project.branches
    with pytest.raises(ForgeConflictError, match="kept"):
        await it.forges.delete_branch(it.of.project, "treadle/greet", "0" * 40)
    assert "treadle/greet" in branches
    for _ in range(2):
        await it.forges.delete_branch(it.of.project, "treadle/greet", it.pull.commit)

    assert "treadle/greet" not in branches
