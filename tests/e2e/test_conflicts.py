"""Parallel tasks that conflict with what is merged, resolved each way, then published."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

OTHERS = ("side-a", "side-b", "by-hand", "by-agent")


def task(name: str) -> dict[str, Any]:
    check = f"! grep -q '<<<<' {name}.txt"
    step = {"type": "command", "label": "no markers", "command": check}
    return {"id": name, "title": f"Write {name}", "gate": "auto", "verification": [step]}


def scenario(stage: Path) -> dict[str, Any]:
    """`first` writes a file for each of the others, which write their own once it is merged."""
    names = ("first", *OTHERS)
    done = {"call": "report_done", "with": {"summary": "done"}}
    wrote = [{"write": f"{name}.txt", "text": "first\n"} for name in OTHERS]
    begun = [{"wait": {"file": str(stage / f"{name}.begun")}} for name in OTHERS]
    rules = [
        {
            "when": {"task": name, "prompt": "task"},
            "steps": [
                {"run": f"touch {stage / name}.begun"},
                {"wait": {"file": str(stage / "first.merged")}},
                {"write": f"{name}.txt", "text": f"{name}\n"},
                done,
            ],
        }
        for name in OTHERS
    ]
    plan = {"summary": "At odds", "tasks": [task(name) for name in names]}
    return {
        "rules": [
            {"when": {"prompt": "planner"}, "steps": [{"call": "propose_plan", "with": {"plan": plan}}]},
            {"when": {"task": "first", "prompt": "task"}, "steps": [*begun, *wrote, done]},
            *rules,
            {
                "when": {"task": "by-agent", "prompt": "conflict"},
                "turns": [[done], [{"write": "by-agent.txt", "text": "both\n"}, done]],
            },
        ]
    }  # fmt: skip


@pytest.fixture
def odds(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    job = Job(engine, http, tmp_path)
    job.repository = make_repository(tmp_path / "odds", scenario(job.stage.folder))
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(job.repository, "remote", "add", "origin", str(tmp_path / "remote.git"))
    return job


async def test_conflicts_are_resolved_each_way_and_the_branch_is_published(
    odds: Job, tmp_path: Path
):
    job = odds
    body = {
        "repository": str(job.repository),
        "goal": "Be at odds",
        "agent": "scripted",
        "is_planned": True,
    }
    job.thread = (await job.post("/v1/threads", {**body, "max_parallel_tasks": 5}))["thread_id"]
    await job.approve(await job.seen("plan_proposed"))
    await job.seen("task_merged")
    (job.stage.folder / "first.merged").touch()
    for number in range(1, 5):
        await job.seen("conflict_found", number=number)
    told = await job.seen("supervision_raised")
    assert told.model_dump()["concern"] == "collision"
    shown = job.engine.run("treadle", "show", job.thread).stdout
    assert f"treadle resolve {job.thread} side-a keep-a" in shown
    view = await job.view()
    assert "resolve by-hand: by-hand" in view["signal_lines"]

    for name, how in zip(OTHERS, ("keep-a", "keep-b", "by-hand", "agent"), strict=True):
        said = job.engine.run("treadle", "resolve", job.thread, name, how)
        assert said.returncode == 0, said.stderr
    prepared = await job.seen("conflict_prepared")
    place = Path(prepared.model_dump()["path"])
    assert "<<<<<<<" in (place / "by-hand.txt").read_text()
    job.engine.run("treadle", "resolve", job.thread, "by-hand", "done")
    left = await job.seen("conflict_unresolved")
    assert left.model_dump()["files"] == ("by-hand.txt",)
    (place / "by-hand.txt").write_text("by a person\n")
    job.engine.run("treadle", "resolve", job.thread, "by-hand", "done")
    await job.seen("plan_completed")

    branch = (await job.view())["branch"]
    merged = {name: git(job.repository, "show", f"{branch}:{name}.txt") for name in OTHERS}
    assert merged == {
        "side-a": "first\n",
        "side-b": "side-b\n",
        "by-hand": "by a person\n",
        "by-agent": "both\n",
    }
    assert git(job.repository, "fsck", "--no-dangling") == ""
    said = job.engine.run("treadle", "publish", job.thread)
    assert f"{branch} is on origin" in said.stdout, said.stderr
    assert git(tmp_path / "remote.git", "rev-parse", branch) == git(
        job.repository, "rev-parse", branch
    )
