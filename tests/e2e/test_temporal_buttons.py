"""`temporal workflow describe`, `list`, `cancel` and `terminate` on a real engine with real agents."""

import json
import subprocess

import pytest

from adapters.port_leases import leases_in
from tests.e2e.engine import Engine, until
from tests.e2e.job import GOAL, Job, git

pytestmark = pytest.mark.e2e


def temporal(job: Job, *words: str) -> subprocess.CompletedProcess[str]:
    address = f"127.0.0.1:{job.engine.settings.temporal_port}"
    done = job.engine.run("temporal", "workflow", *words, "--address", address)
    assert done.returncode == 0, done.stderr
    return done


async def at_work(job: Job) -> None:
    """Have the agent of `left` in the middle of its turn, with a port of its own."""
    job.stage.hold("left.task.working")
    await job.begin()
    await job.stage.reached("left.task.working")
    assert job.engine.children(f"{job.thread}_left_")


async def test_lists_and_descriptions_are_plain_text(job: Job):
    await job.open()
    await job.seen("plan_proposed")
    told = temporal(job, "describe", "--workflow-id", job.thread).stdout
    query = 'TreadleStatus = "needs you" AND TreadleTitle = "right" AND TreadleAgent = "scripted"'

    await until(lambda: job.thread in temporal(job, "list", "--query", query).stdout)
    assert GOAL in told
    assert "treadle-public" not in told
    history = json.loads(
        temporal(job, "show", "--workflow-id", job.thread, "--output", "json").stdout
    )
    scheduled = [e for e in history["events"] if "ACTIVITY_TASK_SCHEDULED" in e["eventType"]]
    assert all(e["userMetadata"]["summary"] for e in scheduled)


async def test_a_cancelled_task_ends_its_agent_and_keeps_its_work(job: Job, engine: Engine):
    await at_work(job)
    temporal(job, "cancel", "--workflow-id", f"{job.thread}/left")
    await job.seen("task_ended", "left")
    await job.seen("task_settled", task="left")
    job.stage.release("left.task.working")

    assert (await job.view())["status"] != "terminated"
    await engine.emptied(f"{job.thread}_left_")
    assert "left.txt" in git(job.repository, "log", "--all", "--name-only", "--format=")


async def test_a_terminated_thread_leaves_nothing_after_the_next_start(job: Job, engine: Engine):
    await at_work(job)
    engine.kill("worker")
    temporal(job, "terminate", "--workflow-id", job.thread)
    job.stage.release("left.task.working")
    await engine.repair()
    ended = await job.seen("workflow_terminated")

    assert "terminated" in ended.model_dump()["reason"]
    view = await job.view()
    assert (view["status"], view["requests"]) == ("terminated", [])
    assert not [item for item in await inbox(job) if item["thread_id"] == job.thread]
    leases = leases_in(engine.settings.data_dir / "ports.json")
    assert not [lease for lease in leases if lease.owner.startswith(job.thread)]
    await engine.emptied(f"{job.thread}_")


async def inbox(job: Job) -> list[dict[str, str]]:
    answer = await job.http.get("/v1/inbox")
    answer.raise_for_status()
    return answer.json()["items"]
