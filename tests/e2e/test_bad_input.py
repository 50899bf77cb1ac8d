"""Bad input as a person meets it: through the command line, with an exit code and a sentence."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.engine import DEADLINE_SECONDS, Engine
from tests.e2e.job import Job, git

pytestmark = pytest.mark.e2e

PYTHON = sys.executable
PROFILES = {
    "absent": ["no-such-program-here"],
    "exits": [PYTHON, "-c", "import sys; sys.exit('no licence: ask your admin')"],
    "babbles": [PYTHON, "-c", "print('not json at all', flush=True); input(); print('nor this')"],
}


def treadle(engine: Engine, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    return engine.run("treadle", *arguments, timeout=DEADLINE_SECONDS, stdin=subprocess.DEVNULL)


def run_on(engine: Engine, folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Ask for work on a folder."""
    return treadle(engine, "run", "Do it", "--repo", str(folder), "--json", "--detach", *more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made


@pytest.mark.parametrize(
    ("made_by", "said"),
    [
        ((), "not a git repository"),
        (("init", "--quiet", "--bare"), "bare"),
        (("init", "--quiet"), "commit"),
    ],
    ids=["none", "bare", "empty"],
)
def test_a_folder_that_cannot_be_worked_on_is_refused(
    engine: Engine, folder: Path, made_by: tuple[str, ...], said: str
):
    if made_by:
        git(folder, *made_by)
    done = run_on(engine, folder, "--agent", "scripted")
    assert done.returncode == 1
    assert said in done.stderr
    assert str(folder) in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_agent_is_refused_with_those_there_are(engine: Engine, job: Job):
    done = run_on(engine, job.repository, "--agent", "nobody")
    assert done.returncode == 1
    assert "'nobody'" in done.stderr
    assert "scripted" in done.stderr


def test_uncommitted_changes_are_reported_and_a_detached_head_works(engine: Engine, job: Job):
    git(job.repository, "checkout", "--quiet", "--detach")
    (job.repository / "README.md").write_text("changed\n")
    (job.repository / "new.txt").write_text("new\n")
    done = treadle(
        engine,
        "run",
        "--plan",
        "Do it",
        "--repo",
        str(job.repository),
        "--agent",
        "scripted",
        "--json",
        "-y",
    )
    assert done.returncode == 0, done.stderr
    assert "2 uncommitted changes ignored" in done.stderr
    assert json.loads(done.stdout)["status"] == "completed"
    assert (job.repository / "README.md").read_text() == "changed\n"


@pytest.mark.parametrize(
    ("agent", "said"),
    [
        ("exits", "no licence: ask your admin"),
        ("babbles", "left with exit code 0"),
    ],
)
def test_an_agent_that_fails_is_reported_with_its_last_words(
    engine: Engine, job: Job, agent: str, said: str
):
    profile = engine.config / "agents" / f"{agent}.yaml"
    profile.write_text(json.dumps({"title": agent, "command": PROFILES[agent]}))
    done = treadle(
        engine, "run", "--plan", "Do it", "--repo", str(job.repository), "--agent", agent, "-y"
    )
    assert done.returncode == 1
    assert said in done.stderr
    assert "treadle replan" in done.stderr


def test_an_agent_that_is_not_installed_is_refused_at_the_door(engine: Engine, job: Job):
    profile = engine.config / "agents" / "absent.yaml"
    profile.write_text(json.dumps({"title": "absent", "command": PROFILES["absent"]}))
    done = run_on(engine, job.repository, "--agent", "absent")
    assert done.returncode == 1
    assert "put 'no-such-program-here' on the PATH" in done.stderr
    assert "Thread" not in done.stderr


async def test_an_agent_that_hangs_in_its_turn_is_aborted_by_a_person(engine: Engine, job: Job):
    job.stage.hold("left.task.working")
    await job.begin()
    await job.stage.reached("left.task.working")
    done = treadle(engine, "abort", job.thread, "left", "--json")
    assert done.returncode == 0, done.stderr
    assert (await job.seen("task_ended", "left")).end == "cancelled"
    job.stage.release("left.task.working")


async def test_decisions_that_are_late_or_on_something_else_are_refused(engine: Engine, job: Job):
    await job.open()
    await job.seen("plan_proposed")
    other = treadle(engine, "approve", job.thread, "--hash", "0000", "--json")
    assert (other.returncode, "content hash" in other.stderr) == (1, True)
    first: dict[str, Any] = json.loads(
        treadle(engine, "approve", job.thread, "--acknowledge", "--json").stdout
    )
    assert first["choice"] == "approve"
    await job.to_the_gate()
    assert treadle(engine, "approve", job.thread, "left", "--json").returncode == 0
    await job.seen("plan_completed")
    late = treadle(engine, "reject", job.thread, "--feedback", "no", "--json")
    assert (late.returncode, "nothing is waiting for approval" in late.stderr) == (1, True)
    assert "Traceback" not in late.stderr + other.stderr


async def test_the_opposite_of_a_decision_is_refused_by_its_outcome(job: Job):
    await job.open()
    opened = await job.seen("plan_proposed")
    await job.approve(opened)
    await job.approve(opened)  # again the same is harmless
    request = opened.model_dump()["request"]
    body = {"request_id": request["request_id"], "content_hash": request["content_hash"]}
    path = f"/v1/threads/{job.thread}/approvals"
    answer = await job.http.post(path, json={**body, "choice": "reject", "feedback": "no"})
    assert (answer.status_code, answer.json()["type"]) == (409, "treadle:already_decided")
    changed = {**body, "content_hash": "0" * 64, "choice": "approve"}
    assert (await job.http.post(path, json=changed)).status_code == 409
    await job.post(f"/v1/threads/{job.thread}/cancel")
