"""What Gitea and Forgejo do differently: protection, replies, logs, and conflicts that are none."""

from collections.abc import Iterator

import pytest

from domain.forges.errors import ForgeBusyError, ForgeGoneError
from domain.forges.markers import marked
from domain.forges.projects import ForgeKind
from domain.forges.pull_requests import Mergeability, MergeTiming
from tests.forge.adapters import opened
from tests.forge.double import Double, forge_double
from tests.forge.moods import Moods
from tests.forge.skins.gitea import Gitea


@pytest.fixture
def gitea() -> Iterator[Double]:
    with forge_double(ForgeKind.GITEA) as double:
        yield double
    assert double.wrong == []


def skin_of(double: Double) -> Gitea:
    assert isinstance(double.skin, Gitea)
    return double.skin


async def test_a_branch_that_needs_approvals_and_a_check_blocks_until_it_has_them(gitea: Double):
    it = await opened(gitea)
    it.pull.project.needs["main"] = (1, "ci / *")
    seen = [(await it.view()).mergeability]
    gitea.review_as("ann", it.pull, "approved")
    seen.append((await it.view()).mergeability)
    gitea.set_check(it.pull.commit, "ci / test", "failed")
    seen.append((await it.view()).mergeability)
    gitea.set_check(it.pull.commit, "ci / test", "passed")

    assert seen == [Mergeability.BLOCKED] * 3
    assert (await it.view()).mergeability is Mergeability.CLEAN


async def test_what_gitea_still_looks_at_has_no_conflicts(gitea: Double):
    it = await opened(gitea)
    it.pull.mergeability = "unknown"
    first = await it.look({})
    it.pull.mergeability = "clean"
    second = await it.look(first.tags)
    assert first.view is not None
    assert second.view is not None
    assert first.view.mergeability is Mergeability.UNKNOWN
    assert second.view.mergeability is Mergeability.CLEAN
    assert (await it.look(second.tags)).view is None


async def test_conflicts_of_an_older_head_say_nothing_of_a_new_one(gitea: Double):
    it = await opened(gitea)
    it.pull.mergeability = "conflicts"
    tags = (await it.look({})).tags
    confirmed = await it.look(tags)
    gitea.push_as(gitea.path, it.pull.head)
    pushed = await it.look(confirmed.tags)
    assert confirmed.view is not None
    assert pushed.view is not None
    assert confirmed.view.mergeability is Mergeability.CONFLICTS
    assert pushed.view.mergeability is Mergeability.UNKNOWN


@pytest.mark.parametrize("is_moody", [False, True])
async def test_a_reply_is_a_comment_on_the_line_where_there_are_no_replies(
    gitea: Double, is_moody: bool
):
    it = await opened(gitea)
    skin_of(gitea).has_replies = False
    thread = gitea.review_as("ann", it.pull, "commented", "Why?", path="greet.py", line=3)
    assert thread is not None
    (seen,) = (await it.view()).threads
    gitea.moods = Moods(seed=5, rate=0.4, slow_seconds=0) if is_moody else None
    made: list[str] = []
    for _ in range(100):
        try:
            made.append(await it.forges.reply(it.of, seen.id, "Fixed", "key"))
        except ForgeBusyError:
            continue
        if len(made) == 2:
            break

    assert made == [str(thread.comments[1].id)] * 2
    assert gitea.written == {marked("Fixed", "key"): 1}


async def test_the_log_of_a_job_is_none_where_it_is_not_given_out(gitea: Double):
    it = await opened(gitea)
    gitea.set_check(it.pull.commit, "test", "failed", log="assert 1 == 2")
    (check,) = (await it.view()).checks
    skin_of(gitea).has_logs = False

    assert await it.forges.check_log(it.of, check.id, 100) == ""
    assert check.url.startswith(f"https://{gitea.host}/octo/work/actions/runs/")


async def test_a_link_that_counts_jobs_gives_no_other_jobs_log(gitea: Double):
    it = await opened(gitea)
    made = gitea.set_check(it.pull.commit, "test", "failed", log="assert 1 == 2")

    assert await it.forges.check_log(it.of, f"job:8/{made.id}", 100) == ""
    assert await it.forges.check_log(it.of, f"job:7/{made.id}", 100) == "assert 1 == 2"


@pytest.mark.parametrize("what", ["is_gone", "is_archived"])
async def test_a_merge_is_not_taken_for_taken_back_where_nothing_is_told(gitea: Double, what: str):
    it = await opened(gitea)
    gitea.set_check(it.pull.commit, "test", "pending")
    await it.forges.merge(it.merge_request(timing=MergeTiming.WHEN_READY))
    setattr(it.pull.project, what, True)
    with pytest.raises(ForgeGoneError):
        await it.forges.cancel_merge(it.of)

    assert it.pull.will_merge_itself
