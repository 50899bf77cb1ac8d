"""A thread with two repositories: changed, verified and merged together, also where its worker is killed."""

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

API = "api"
DONE = {"call": "report_done", "with": {"summary": "It is there."}}


def scenario(job: Job) -> dict[str, Any]:
    """Return what the agents do: each task writes into both repositories, `both` finds all."""

    def work(task: str) -> dict[str, Any]:
        write = f"echo {task} > {task}.txt && echo {task} > $TREADLE_REPOSITORY_API/{task}.txt"
        place = job.stage.place(f"{task}.working")
        steps = [{"run": write}, {"run": place}, {"run": job.stage.note(task)}, DONE]
        return {"when": {"task": task, "prompt": "task"}, "steps": steps}

    def task(name: str, **more: Any) -> dict[str, Any]:
        files = [
            f"{place}/{each}.txt"
            for each in (name, *more.get("dependsOn", ()))
            for place in (".", "../api")
        ]
        check = " && ".join(f"test -s {file}" for file in files)
        steps = [{"type": "command", "label": "all is there", "command": check}]
        return {"id": name, "title": name, "gate": "auto", "verification": steps, **more}

    tasks = [task("left"), task("right"), task("both", dependsOn=["left", "right"])]
    plan = {"goal": "Write", "summary": "Two, then both.", "tasks": tasks}
    return {
        "name": "two repositories",
        "rules": [
            {
                "when": {"prompt": "planner"},
                "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
            },
            *map(work, ("left", "right", "both")),
        ],
    }


@pytest.fixture
def two(job: Job) -> Job:
    """A repository whose agents change another one, `api`, as well."""
    job.repository = make_repository(job.repository.parent / "web", scenario(job))
    make_repository(job.repository.parent / API, {"name": "none", "rules": []})
    for each in (job.repository, job.repository.parent / API):
        remote = remote_of(each)
        git(each, "init", "--quiet", "--bare", str(remote))
        git(each, "remote", "add", "origin", str(remote))
    return job


def remote_of(repository: Path) -> Path:
    """Return where the remote of a repository is."""
    return repository.with_name(f"{repository.name}.git")


async def begin(job: Job) -> None:
    body = {
        "repository": str(job.repository),
        "also": [str(job.repository.parent / API)],
        "goal": "Write",
        "agent": "scripted",
        "is_planned": True,
        "planner": {"own_turns": 0},
    }
    job.thread = (await job.post("/v1/threads", body))["thread_id"]
    await job.approve(await job.seen("plan_proposed"))


async def assert_whole(job: Job) -> None:
    """Assert that all work is in both branches, once, and that one names the other."""
    branch = (await job.view())["branch"]
    own, api = job.repository, job.repository.parent / API
    for each in (own, api):
        files = git(each, "ls-tree", "--name-only", branch).split()
        assert {"left.txt", "right.txt", "both.txt"} < set(files)
        merges = git(
            each, "log", "--first-parent", "--format=%(trailers:key=Treadle-Merge)", branch
        )
        assert len(merges.split("Treadle-Merge: ")) == 4
        assert git(each, "status", "--porcelain") == ""
    named = git(own, "log", "-1", "--format=%(trailers:key=Treadle-Beside,valueonly)", branch)
    assert named.split() == [API, git(api, "rev-parse", branch).strip()]
    assert list((job.engine.settings.data_dir / "several").iterdir()) == []


async def test_work_in_two_repositories_is_verified_and_merged_together(two: Job):
    await begin(two)
    await two.seen("plan_completed")

    await assert_whole(two)
    (task, *_) = (await two.view())["tasks"]
    assert task["status"] == "completed"
    changes = await two.http.get(f"/v1/threads/{two.thread}/changes/diff")
    assert "b/../api/left.txt" in changes.text
    assert "b/left.txt" in changes.text


async def test_work_in_two_repositories_is_published_in_both_or_in_none(two: Job):
    await begin(two)
    await two.seen("plan_completed")
    places = (two.repository, two.repository.parent / API)
    branch = (await two.view())["branch"]
    hook = remote_of(two.repository) / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    commit = git(two.repository, "rev-parse", branch).strip()

    await two.post(f"/v1/threads/{two.thread}/publish", {"commit": commit})
    await two.seen("publish_failed")
    assert [git(remote_of(each), "for-each-ref") for each in places] == ["", ""]

    hook.unlink()
    await two.post(f"/v1/threads/{two.thread}/publish", {"commit": commit})
    await two.seen("pull_request_left")
    for each in places:
        assert git(remote_of(each), "rev-parse", branch) == git(each, "rev-parse", branch)


@pytest.mark.parametrize("place", ["before_merge", "after_merge"])
async def test_a_worker_killed_in_a_merge_leaves_no_half(two: Job, engine: Engine, place: str):
    two.stage.hold("left.working", "right.working")
    await begin(two)
    await two.stage.reached("left.working")
    engine.stage.hold(place)
    two.stage.release("left.working", "right.working")
    await engine.stage.reached(place)
    engine.kill("worker")
    engine.stage.release(place)
    await engine.repair()

    await two.seen("plan_completed")
    await assert_whole(two)


async def test_a_worker_killed_during_a_turn_goes_on_in_both(two: Job, engine: Engine):
    two.stage.hold("left.working")
    await begin(two)
    await two.stage.reached("left.working")
    await engine.kill_worker()
    two.stage.release("left.working")
    await engine.repair()

    await two.seen("plan_completed")
    await assert_whole(two)
