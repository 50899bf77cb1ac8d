"""A look at a thread's branch, made on its host; the patch is kept in the journal."""

import uuid

from domain.core.changes import ChangesQuery
from domain.core.errors import RepositoryError
from domain.core.ids import SHARED_QUEUE, ThreadId
from workflows.branches import ChangesQueryWorkflow


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
