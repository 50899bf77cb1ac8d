"""A job in a devcontainer: set up once there, worked and verified there, and nothing of it left."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.processes.container_view import is_system
from tests.deploy.debian import debian
from tests.e2e.ending import assert_nothing_left
from tests.e2e.engine import Engine, Stage, until
from tests.e2e.job import Job, git, make_repository

__all__ = ["debian"]

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(
        is_system(Path(sys.executable).resolve()),
        reason="this Python is the system's: an image of Debian has none to run the agent with",
    ),
]

DESCRIPTION = ".devcontainer/devcontainer.json"
RECIPE = f"""
devcontainer = true
setup = ["echo set up > /opt/tool; echo once >> /opt/runs; mkdir made && pwd > made/in"]

[services.web]
command = 'cp /opt/tool made/ && exec {sys.executable} -u -m http.server --bind 127.0.0.1 "$TREADLE_PORT_WEB"'
port = "web"
health = "/made/tool"
"""
IS_THERE = (
    'test "$(cat /opt/tool /opt/runs | tr "\\n" ,)" = "set up,once," && test "$MODE" = inside'
)
FETCH = (
    f"{sys.executable} -c 'import os, urllib.request;"
    ' print(urllib.request.urlopen("http://127.0.0.1:" + os.environ["TREADLE_PORT_WEB"] + "/made/tool")'
    ".read().decode().strip())'"
)


def scenario(stage: Stage) -> dict[str, Any]:
    check = f'{IS_THERE} && test "$({FETCH})" = "set up" && cat said'
    step = {"type": "command", "label": "it is set up", "command": check}
    task = {"id": "look", "title": "Look", "gate": "auto", "verification": [step]}
    plan = {"goal": "look", "tasks": [task]}
    return {
        "name": "contained",
        "rules": [
            {
                "when": {"prompt": "planner"},
                "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
            },
            {
                "when": {"task": "look", "prompt": "task"},
                "steps": [
                    {"run": f"{IS_THERE} && cat made/in > said && echo changed > /opt/tool"},
                    {"run": stage.place("look.working")},
                    {"call": "report_done", "with": {"summary": "looked"}},
                ],
            },
        ],
    }


def podman(*arguments: str) -> str:
    return subprocess.run(
        ("podman", *arguments), capture_output=True, text=True, check=False
    ).stdout


def worktrees(engine: Engine) -> list[Path]:
    """Return the worktrees of an engine that have a container."""
    listed = podman("ps", "--all", "--filter=label=treadle.worktree", "--format=json")
    found = [Path(one["Labels"]["treadle.worktree"]) for one in json.loads(listed or "[]") or []]
    return [path for path in found if path.is_relative_to(engine.settings.data_dir)]


def forget_all(engine: Engine) -> None:
    """Remove the containers and images that an engine made."""
    listed = podman("ps", "--all", "--filter=label=treadle.worktree", "--format=json")
    for one in json.loads(listed or "[]") or []:
        if Path(one["Labels"]["treadle.worktree"]).is_relative_to(engine.settings.data_dir):
            podman("rm", "--force", one["Names"][0])
    for layer in engine.settings.data_dir.glob("layers/*/*"):
        images = podman("images", "--format={{.Repository}}:{{.Tag}}", "localhost/treadle-layer")
        for name in images.split():
            if name.endswith(f"-{layer.name}"):
                podman("rmi", name)


@pytest.fixture
async def contained(engine: Engine, debian: str) -> AsyncIterator[Engine]:
    """The engine, whose worker finds podman as this machine needs it."""
    before = dict(engine.environment)
    own = ("CONTAINERS_CONF", "XDG_RUNTIME_DIR")
    engine.environment |= {name: os.environ[name] for name in own if name in os.environ}
    engine.kill("worker")
    await engine.repair()
    yield engine
    engine.environment.clear()
    engine.environment |= before
    engine.kill("worker")  # the next test has one that is as all others are
    forget_all(engine)


async def test_a_task_is_set_up_worked_served_and_verified_in_its_devcontainer(
    contained: Engine, http: httpx.AsyncClient, tmp_path: Path, debian: str
):
    job = Job(contained, http, tmp_path)
    job.patience_seconds = 180  # the first of a machine installs what builds the image
    job.repository = make_repository(tmp_path / "site", scenario(job.stage))
    described = {"image": debian, "containerEnv": {"MODE": "inside"}}
    (job.repository / DESCRIPTION).parent.mkdir()
    (job.repository / DESCRIPTION).write_text(json.dumps(described))
    (job.repository / ".treadle" / "workspace.toml").write_text(RECIPE)
    git(job.repository, "add", "--all")
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(job.repository, *author, "commit", "--quiet", "--message", "Describe")
    place = {"repository": str(job.repository)}
    found = (await http.get("/v1/recipes", params=place)).json()["found"]
    assert any(".devcontainer" in act for act in found["acts"])
    trusted = {**place, "content_hash": found["content_hash"]}
    assert (await http.post("/v1/recipes/trust", json=trusted)).is_success
    job.stage.hold("look.working")
    body = {**place, "goal": "look", "agent": "scripted", "is_planned": True}
    job.thread = (await job.post("/v1/threads", body))["thread_id"]
    await job.approve(await job.seen("plan_proposed"))

    await job.stage.reached("look.working")
    assert [path for path in worktrees(contained) if path.name.startswith("run-1-")]
    job.stage.release("look.working")
    ended = await job.seen("verification_step_ended", "look")
    assert ended.result.passed, ended.result.output
    assert ended.result.output.strip() == "/workspaces/site"  # the folder that the set-up ran in
    await job.seen("plan_completed")

    await assert_nothing_left(job)
    await until(lambda: not worktrees(contained))
