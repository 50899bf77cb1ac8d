"""Looks at a thread's branch and at its conflicts, made on its host."""

import uuid

from domain.core.changes import ChangesQuery
from domain.core.conflict_lines import ConflictQuery
from domain.core.contents import ContentQuery
from domain.core.errors import RepositoryError
from domain.core.ids import SHARED_QUEUE, ThreadId
from workflows.branches import ChangesQueryWorkflow, ConflictQueryWorkflow, ContentQueryWorkflow


async def looked(house):
    thread = ThreadId(f"thread-{uuid.uuid4().hex[:8]}")
    query = ChangesQuery(
        query_id=f"{thread}/changes-1",
        thread_id=thread,
        host="test",
        repository="/repo",
        branch="b",
        begins_at="a" * 40,
    )
    return await house.client.execute_workflow(
        ChangesQueryWorkflow.run, query, id=query.query_id, task_queue=SHARED_QUEUE
    )


async def test_the_patch_of_a_branch_is_kept_in_the_journal(house):
    found = await looked(house)

    patch = await house.workspaces.diff("/repo", "a" * 40, "c" * 40)
    assert await house.journal.text(found.diff_ref) == patch


async def test_a_branch_that_cannot_be_read_is_told_of(house):
    house.branches.failure = RepositoryError("branch b is gone")

    assert (await looked(house)).failure == "branch b is gone"


async def conflict(house):
    thread = ThreadId(f"thread-{uuid.uuid4().hex[:8]}")
    query = ConflictQuery(
        query_id=f"{thread}/conflict-1",
        thread_id=thread,
        host="test",
        repository="/repo",
        ours="a" * 40,
        theirs="b" * 40,
    )
    return await house.client.execute_workflow(
        ConflictQueryWorkflow.run, query, id=query.query_id, task_queue=SHARED_QUEUE
    )


async def test_the_lines_of_a_conflict_are_read_on_the_host(house):
    found = await conflict(house)

    assert [file.path for file in found.files] == ["app.py"]


async def test_a_conflict_that_cannot_be_read_is_told_of(house):
    house.branches.failure = RepositoryError("commit b is gone")

    assert (await conflict(house)).failure == "commit b is gone"


async def content(house):
    thread = ThreadId(f"thread-{uuid.uuid4().hex[:8]}")
    query = ContentQuery(
        query_id=f"{thread}/content-1",
        thread_id=thread,
        host="test",
        repository="/repo",
        branch="b",
        commit="a" * 40,
        path="app.py",
    )
    return await house.client.execute_workflow(
        ContentQueryWorkflow.run, query, id=query.query_id, task_queue=SHARED_QUEUE
    )


async def test_a_file_of_a_commit_is_read_on_the_host(house):
    assert (await content(house)).text == f"app.py at {'a' * 40}\n"


async def test_a_file_that_cannot_be_read_is_told_of(house):
    house.branches.failure = RepositoryError("thread has no commit")

    assert (await content(house)).failure == "thread has no commit"
