"""Chats of one thread at odds, merged one after the other: each conflict resolved in another way."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.core.ids import ThreadId
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

CHATS = 6
FIRST, SIDE_A, SIDE_B, BY_HAND, AGENT, LEFT = range(1, CHATS + 1)


def scenario(stage: Any) -> dict[str, Any]:
    """Each chat writes its number and a file of its own; `agent` joins both sides."""
    rules: list[dict[str, Any]] = [
        {
            "when": {"prompt": "message", "text": f"write {number}"},
            "steps": [
                {"write": "shared.txt", "text": f"{number}\n"},
                {"write": f"own-{number}.txt", "text": "mine\n"},
            ],
        }
        for number in range(1, CHATS + 1)
    ]
    joins = [
        {"run": stage.note("resolve.begun")},
        {"run": stage.place("resolving")},
        {"write": "shared.txt", "text": "both\n"},
        {"say": "I joined both."},
    ]
    return {"rules": [*rules, {"when": {"prompt": "chat-conflict"}, "steps": joins}]}


@pytest.fixture
async def odds(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    """Six chats in worktrees of their own that wrote the same file; the first is merged."""
    job = Job(engine, http, tmp_path)
    job.repository = make_repository(tmp_path / "odds", scenario(job.stage))
    body = {"repository": str(job.repository), "agent": "scripted", "is_planned": False}
    job.thread = ThreadId((await job.post("/v1/threads", {**body, "goal": "write 1"}))["thread_id"])
    await job.seen("turn_ended", "session-1")
    path = f"/v1/threads/{job.thread}"
    for number in range(2, CHATS + 1):
        await job.post(f"{path}/sessions", {"has_own_worktree": True})
        session = f"{job.thread}/session-{number}"
        await job.post(f"{path}/messages", {"text": f"write {number}", "session_id": session})
        await job.seen("turn_ended", f"session-{number}")
    merged = merge(job, FIRST)
    assert (merged.returncode, "Merged session-1" in merged.stdout) == (0, True), merged.stderr
    return job


def merge(job: Job, number: int) -> Any:
    return job.engine.run("treadle", "merge-session", job.thread, "-s", str(number))


def resolve(job: Job, number: int, how: str) -> str:
    said = job.engine.run("treadle", "resolve", job.thread, f"session-{number}", how)
    assert said.returncode == 0, said.stderr
    return said.stdout


async def shared(job: Job) -> str:
    return git(job.repository, "show", f"{(await job.view())['branch']}:shared.txt")


async def test_a_chat_s_conflict_is_resolved_each_way_and_the_exit_code_tells(
    odds: Job, engine: Engine
):
    job = odds
    for number, how in ((SIDE_A, "keep-a"), (SIDE_B, "keep-b")):
        refused = merge(job, number)
        assert refused.returncode == 1
        assert f"treadle resolve {job.thread} session-{number} {how}" in refused.stdout
        assert (await job.view())["status"] == "waiting"
        asked = engine.run("treadle", "inbox").stdout
        assert f"The changes of session-{number} conflict in 1 file" in asked
        resolve(job, number, how)
        await job.seen("session_merge_ended", number=2 * number - 1)
        assert await shared(job) == {"keep-a": "1\n", "keep-b": f"{SIDE_B}\n"}[how]

    assert merge(job, BY_HAND).returncode == 1
    resolve(job, BY_HAND, "by-hand")
    place = Path((await job.seen("conflict_prepared")).model_dump()["path"])
    assert "<<<<<<<" in (place / "shared.txt").read_text()
    assert merge(job, BY_HAND).returncode == 1  # while somebody resolves it
    resolve(job, BY_HAND, "done")
    await job.seen("conflict_unresolved")
    (place / "shared.txt").write_text("by hand\n")
    resolve(job, BY_HAND, "done")
    await job.seen("session_merge_ended", number=7)
    assert await shared(job) == "by hand\n"

    assert merge(job, LEFT).returncode == 1
    resolve(job, LEFT, "leave")
    await job.seen("conflict_dropped")
    assert (await job.view())["conflicts"] == []
    branch = (await job.view())["branch"]
    names = git(job.repository, "ls-tree", "--name-only", branch).split()
    assert {f"own-{n}.txt" for n in (FIRST, SIDE_A, SIDE_B, BY_HAND)} <= set(names)
    assert f"own-{LEFT}.txt" not in names
    assert git(job.repository, "fsck", "--no-dangling") == ""


async def test_the_chat_s_agent_resolves_it_over_a_killed_worker_and_the_person_says_done(
    odds: Job, engine: Engine
):
    job = odds
    assert merge(job, AGENT).returncode == 1
    job.stage.hold("resolving")
    resolve(job, AGENT, "agent")
    await job.stage.reached("resolving")
    await engine.kill_worker()
    job.stage.release("resolving")
    await engine.repair()
    proposed = await job.seen("resolution_proposed")
    before = await shared(job)
    shown = engine.run("treadle", "show", job.thread).stdout
    diff = engine.run("treadle", "diff", job.thread, "--session", str(AGENT)).stdout

    assert before == "1\n"  # nothing is merged before the person has seen it
    assert f"treadle diff {job.thread} --session {AGENT}" in shown
    assert ("+both" in diff, f"own-{AGENT}.txt" in diff, "own-1.txt" in diff) == (True, True, False)
    engine.stage.hold("after_merge")
    resolve(job, AGENT, "done")
    await engine.stage.reached("after_merge")
    engine.kill("worker")
    engine.stage.release("after_merge")
    await engine.repair()
    merged = await job.seen("session_merge_ended", number=3)
    assert merged.commit is not None
    assert await shared(job) == "both\n"
    branch = (await job.view())["branch"]
    made = git(job.repository, "log", "--format=%H", f"--grep=session-{AGENT}/keep-3", branch)
    assert made.split() == [merged.commit]  # the merge that the kill cut off was not made again
    assert proposed.model_dump()["session_id"] == f"{job.thread}/session-{AGENT}"
    again = merge(job, AGENT)
    assert (again.returncode, "Nothing to merge" in again.stdout) == (0, True)
