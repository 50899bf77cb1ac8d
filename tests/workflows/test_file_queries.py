"""A look into a worktree, made on its host for a person who types."""

import uuid

from domain.core.file_queries import FileQuery
from domain.core.ids import SHARED_QUEUE, ThreadId
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from workflows.file_queries import FileQueryWorkflow


def asked(text):
    thread = ThreadId(f"thread-{uuid.uuid4().hex[:8]}")
    return FileQuery(
        query_id=f"{thread}/files-1",
        thread_id=thread,
        host="test",
        workspace=WorkspaceSpec(
            workspace_id=f"{thread}/session-1",
            kind=WorkspaceKind.CHAT,
            repository="/r",
            thread_id=thread,
            base="main",
        ),
        text=text,
    )


async def found(house, query, as_id=None):
    return await house.client.execute_workflow(
        FileQueryWorkflow.run, query, id=as_id or query.query_id, task_queue=SHARED_QUEUE
    )


async def test_files_are_found_on_the_host_of_the_worktree(house):
    house.workspaces.listed = ("src/app.py", "README.md")

    assert (await found(house, asked("app"))).paths == ("src/app.py",)


async def test_the_place_of_one_file_is_told_by_that_host(house):
    house.workspaces.listed = ("src/app.py",)
    query = asked("").model_copy(update={"place": "src/app.py"})

    assert (
        await found(house, query)
    ).place == f"/worktrees/{query.workspace.workspace_id}/src/app.py"
    gone = query.model_copy(update={"query_id": f"{query.thread_id}/files-2", "place": "gone.py"})
    assert "no such file" in (await found(house, gone)).failure


async def test_a_worktree_that_cannot_be_read_is_told_of(house):
    house.workspaces.unusable = "its repository is gone"

    assert (await found(house, asked("app"))).failure == "its repository is gone"
