"""Restores over a job that went on since its backup: it goes on from the backup, with the work right."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository
from tests.e2e.test_chats import SCENARIO, open_chat
from treadle.backup import make_backup
from treadle.restore import Restored, restore_backup

pytestmark = pytest.mark.e2e

PARTS = ("worker", "api", "temporal")


@pytest.fixture
async def own_engine(tmp_path: Path):
    """An engine of the test's own: the whole of it is put back to an earlier time."""
    (tmp_path / "own").mkdir()
    engine = Engine(tmp_path / "own")
    await engine.start(*reversed(PARTS))
    yield engine
    engine.stop()


@pytest.fixture
async def own_job(own_engine: Engine, tmp_path: Path):
    (tmp_path / "job").mkdir()
    async with own_engine.http() as http:
        yield Job(own_engine, http, tmp_path / "job")


async def put_back(engine: Engine, job: Job, saved: Path) -> Restored:
    """Stop the engine, restore a backup over what is there, start it again."""
    engine.stop()
    restored = await asyncio.to_thread(restore_backup, engine.settings, saved, is_forced=True)
    await engine.start(*reversed(PARTS))
    job.events.clear()
    return restored


async def send_back(job: Job) -> None:
    """Have a gate's work done again, and approve what the second turn made."""
    await reject(job)
    await approve_the_second(job)


async def reject(job: Job) -> None:
    gate = await job.seen("gate_opened", "left")
    request = gate.model_dump(mode="json")["request"]
    said = {key: request[key] for key in ("request_id", "content_hash")}
    more = {"choice": "reject", "feedback": "otherwise"}
    await job.post(f"/v1/threads/{job.thread}/approvals", {**said, **more})


async def approve_the_second(job: Job) -> None:
    await job.approve(await job.seen("gate_opened", "left", number=2))
    await job.seen("plan_completed")


async def merged(job: Job) -> str:
    """Return what `left` brought to the thread's branch."""
    return git(job.repository, "show", f"{(await job.view())['branch']}:left.txt")


async def at_the_plan(job: Job) -> None:
    await job.open()
    await job.seen("plan_proposed")


async def in_a_turn(job: Job) -> None:
    job.stage.hold("left.task.working")
    await job.begin()
    await job.stage.reached("left.task.working")


async def at_the_gate(job: Job) -> None:
    await job.begin()
    await job.to_the_gate()


async def at_the_end(job: Job) -> None:
    await job.begin()
    await job.finish()


async def approve_the_plan(job: Job) -> None:
    await job.approve(await job.seen("plan_proposed"))


async def nothing(job: Job) -> None:
    pass


Step = Callable[[Job], Awaitable[None]]


@pytest.mark.parametrize(
    ("begin", "after_restore"),
    [(at_the_plan, approve_the_plan), (in_a_turn, nothing), (at_the_gate, nothing)],
)
async def test_a_job_that_was_merged_since_goes_on_from_its_backup(
    own_engine: Engine, own_job: Job, tmp_path: Path, begin: Step, after_restore: Step
):
    await begin(own_job)
    make_backup(own_engine.settings, tmp_path / "saved.tar")
    own_job.stage.release("left.task.working")
    await after_restore(own_job)
    await send_back(own_job)
    later = git(own_job.repository, "rev-parse", (await own_job.view())["branch"]).strip()
    assert await merged(own_job) == "left, as you wish\n"

    restored = await put_back(own_engine, own_job, tmp_path / "saved.tar")
    await after_restore(own_job)
    await own_job.finish()

    assert await merged(own_job) == "left\n"
    kept = git(own_job.repository, "for-each-ref", "--format=%(objectname)", "refs/treadle/aside/")
    assert later in kept.split()
    assert [line for line in restored.aside if "refs/treadle/aside/" in line]


async def test_a_second_turn_that_was_merged_since_is_made_again(
    own_engine: Engine, own_job: Job, tmp_path: Path
):
    """Its agent's home is of a later time and goes aside: the session in its place knows nothing."""
    await at_the_gate(own_job)
    own_job.stage.hold("left.gate-rejected.working")
    await reject(own_job)
    await own_job.stage.reached("left.gate-rejected.working")
    make_backup(own_engine.settings, tmp_path / "saved.tar")
    own_job.stage.release("left.gate-rejected.working")
    await approve_the_second(own_job)

    await put_back(own_engine, own_job, tmp_path / "saved.tar")
    await approve_the_second(own_job)

    assert await merged(own_job) == "left, as you wish\n"
    notices = [e.event.body for e in own_job.events if e.event.body.kind == "agent_notice"]
    assert [notice for notice in notices if "is lost; a new one" in notice.message]


async def test_a_finished_job_stays_finished(own_engine: Engine, own_job: Job, tmp_path: Path):
    await at_the_end(own_job)
    before = git(own_job.repository, "for-each-ref")
    make_backup(own_engine.settings, tmp_path / "saved.tar")

    await put_back(own_engine, own_job, tmp_path / "saved.tar")

    assert (await own_job.view())["status"] == "completed"
    assert git(own_job.repository, "for-each-ref") == before


async def test_a_chat_goes_on_with_the_files_of_its_backup(
    own_engine: Engine, own_job: Job, tmp_path: Path
):
    own_job.repository = make_repository(own_job.repository.parent / "chats", SCENARIO)
    await open_chat(own_job, "write it")
    make_backup(own_engine.settings, tmp_path / "saved.tar")
    await say_again(own_job, "change it", 2)

    restored = await put_back(own_engine, own_job, tmp_path / "saved.tar")
    await say_again(own_job, "list", 2)
    await own_job.post(f"/v1/threads/{own_job.thread}/sessions/1/merge")
    kept = await own_job.seen("session_merge_ended")

    branch = (await own_job.view())["branch"]
    assert kept.commit
    assert git(own_job.repository, "show", f"{branch}:first.txt") == "1\n"
    assert git(own_job.repository, "show", f"{branch}:seen.list") == "first.txt\n"
    assert [line for line in restored.aside if "worktrees/" in line]


async def say_again(job: Job, text: str, number: int) -> None:
    session = f"{job.thread}/session-1"
    await job.post(f"/v1/threads/{job.thread}/messages", {"text": text, "session_id": session})
    await job.seen("turn_ended", "session-1", number=number)
