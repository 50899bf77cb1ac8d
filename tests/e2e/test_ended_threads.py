"""A thread that was terminated in Temporal is archived and deleted, and leaves nothing in its repository."""

import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import Job, git

pytestmark = pytest.mark.e2e


async def test_a_terminated_thread_is_archived_and_deleted(job: Job, engine: Engine):
    before = git(job.repository, "for-each-ref")
    await job.begin()
    await job.to_the_gate()
    address = f"127.0.0.1:{engine.settings.temporal_port}"
    at = ("--workflow-id", job.thread, "--address", address)
    assert engine.run("temporal", "workflow", "terminate", *at).returncode == 0
    await job.seen("workflow_terminated")

    archived = engine.run("treadle", "archive", job.thread)
    assert (archived.returncode, "archived" in archived.stderr) == (0, True), archived.stderr
    assert job.thread in engine.run("treadle", "threads", "--archived").stdout
    deleted = engine.run("treadle", "delete", job.thread, "--yes", "--force")
    assert (deleted.returncode, f"{job.thread}: deleted" in deleted.stderr) == (0, True), (
        deleted.stderr
    )
    assert (await job.http.get(f"/v1/threads/{job.thread}")).status_code == 404
    assert git(job.repository, "for-each-ref") == before
    assert len(git(job.repository, "worktree", "list").splitlines()) == 1
    await engine.emptied(str(job.repository))
