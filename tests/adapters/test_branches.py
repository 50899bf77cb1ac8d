"""What a thread's branch holds against where it began, on real git."""

import pytest

from adapters.git.branches import GitBranches
from domain.core.changes import ChangesQuery
from domain.core.errors import RepositoryError
from domain.core.ids import SessionId, ThreadId
from tests.adapters.task_specs import BRANCH, commit_of, settle_of, spec_of


@pytest.fixture
def branches(spawner, data_dir):
    return GitBranches(spawner, data_dir)


@pytest.fixture
async def work(workspaces, repository, branch):
    """A merged task; returns the commit on the thread's branch."""
    await workspaces.inspect(str(repository))
    spec = spec_of(repository, "task-1")
    (await workspaces.prepare(spec) / "new.py").write_text("x\n")
    snapshot = await workspaces.commit(spec, commit_of("turn-1"))
    return (await workspaces.settle(settle_of(spec, snapshot.commit))).commit


def query_of(repository, begins_at, **more):
    return ChangesQuery(
        query_id="thread-1/changes-1",
        thread_id=ThreadId("thread-1"),
        host="h",
        repository=str(repository),
        branch=BRANCH,
        begins_at=begins_at,
        target="main",
        **more,
    )


async def test_a_branch_is_compared_with_where_it_began(branches, repository, git, work):
    began = git(repository, "rev-parse", "main")
    (repository / "later.py").write_text("later")
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "--message=later")

    found = await branches.compare(query_of(repository, began))

    assert (found.base, found.commit) == (began, work)
    assert found.target_commit == git(repository, "rev-parse", "main")
    assert not found.is_merged


async def test_a_branch_that_was_merged_still_shows_what_it_changed(
    branches, repository, git, work
):
    began = git(repository, "rev-parse", "main")
    git(repository, "merge", "--quiet", BRANCH)

    found = await branches.compare(query_of(repository, began))

    assert (found.base, found.commit, found.is_merged) == (began, work, True)


async def test_a_session_shows_its_newest_checkpoint(branches, repository, git, work):
    began = git(repository, "rev-parse", "main")
    git(repository, "update-ref", "refs/treadle/thread-1/session-1/1", began)
    git(repository, "update-ref", "refs/treadle/thread-1/session-1/2", work)
    git(repository, "update-ref", "refs/treadle/thread-1/session-1/10", work)
    git(repository, "update-ref", f"refs/heads/{BRANCH}", began)
    session = SessionId("thread-1/session-1")

    found = await branches.compare(query_of(repository, began, session_id=session))

    assert (found.base, found.commit) == (began, work)


async def test_a_session_that_changed_nothing_shows_nothing(branches, repository, git, work):
    began = git(repository, "rev-parse", "main")
    session = SessionId("thread-1/session-7")

    found = await branches.compare(query_of(repository, began, session_id=session))

    assert found.base == found.commit == work


async def test_a_branch_that_is_gone_is_reported(branches, repository, git, work):
    began = git(repository, "rev-parse", "main")
    git(repository, "update-ref", "-d", f"refs/heads/{BRANCH}")

    with pytest.raises(RepositoryError, match="is gone"):
        await branches.compare(query_of(repository, began))


async def test_two_commits_of_a_thread_are_compared_but_no_others(branches, repository, git, work):
    began = git(repository, "rev-parse", "main")
    git(repository, "switch", "--quiet", "--create", "secret")
    git(repository, "commit", "--quiet", "--allow-empty", "--message=secret")
    foreign = git(repository, "rev-parse", "HEAD")

    found = await branches.compare(query_of(repository, began, since=began, commit=work))

    assert (found.base, found.commit) == (began, work)
    for pair in ({"since": foreign, "commit": work}, {"since": began, "commit": foreign}):
        with pytest.raises(RepositoryError, match="has no commit"):
            await branches.compare(query_of(repository, began, **pair))
