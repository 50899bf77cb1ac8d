"""A repository's recipe has every workspace ready to build: made once, held, mended, killed."""

import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, scenario

pytestmark = pytest.mark.e2e

MADE = (
    "mkdir -p deps/bin && echo made > deps/library && printf 'echo hidden' > deps/bin/tool"
    " && chmod +x deps/bin/tool"
)
MORE = """path = ["deps/bin"]
environment = {MODE = "test"}
secrets.TOKEN = {command = "echo hidden", for = ["agent", "verification"]}
"""
HAS = "grep -qx made deps/library && "
KNOWS = 'test "$MODE" = test && test "$(tool)" = $TOKEN && '
AUTHOR = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")


@pytest.fixture
def job(job: Job) -> Job:
    """The main job, whose agents and steps need what the set-up makes."""
    script = scenario(job.stage)
    for rule in script["rules"]:
        for step in rule["steps"]:
            if "run" in step:
                step["run"] = HAS + KNOWS + step["run"]
            for task in step.get("with", {}).get("plan", {}).get("tasks", ()):
                for check in task["verification"]:
                    check["command"] = HAS + KNOWS + check["command"]
    (job.repository / ".treadle" / "scenario.yaml").write_text(yaml.safe_dump(script))
    write_recipe(job, f"{job.stage.place('set-up')}; {job.stage.note('set-up')}; {MADE}")
    git(job.repository, "add", "--all")
    git(job.repository, *AUTHOR, "commit", "--quiet", "--message", "Set up")
    return job


def write_recipe(job: Job, *commands: str) -> None:
    lines = ", ".join(f"'''{command}'''" for command in commands)
    (job.repository / ".treadle" / "workspace.toml").write_text(f"setup = [{lines}]\n{MORE}")


def _without(script: Any, words: str) -> Any:
    """Return a scenario whose texts have some words no more."""
    if isinstance(script, dict):
        return {name: _without(part, words) for name, part in script.items()}
    if isinstance(script, list):
        return [_without(part, words) for part in script]
    return script.replace(words, "") if isinstance(script, str) else script


async def trust(job: Job) -> None:
    """Trust the recipe as it is now."""
    parameters = {"repository": str(job.repository)}
    found = (await job.http.get("/v1/recipes", params=parameters)).json()["found"]
    body = {**parameters, "content_hash": found["content_hash"]}
    (await job.http.post("/v1/recipes/trust", json=body)).raise_for_status()


def workspace(
    engine: Engine, *arguments: str, repository: Path
) -> subprocess.CompletedProcess[str]:
    return engine.run("treadle", "workspace", *arguments, "--repo", str(repository), timeout=60)


async def waiting(job: Job) -> list[dict[str, Any]]:
    """Return what the inbox has of the thread."""
    items = (await job.http.get("/v1/inbox")).json()["items"]
    return [item for item in items if item["thread_id"] == job.thread]


async def test_every_task_and_every_verification_has_what_one_set_up_made(job: Job, engine: Engine):
    refused = await job.http.post(
        "/v1/threads",
        json={"command_id": "untrusted", "repository": str(job.repository), "goal": "x"}
        | {"agent": "scripted"},
    )
    assert refused.json()["type"] == "treadle:recipe_not_trusted"
    await trust(job)
    await job.begin()
    await job.to_the_gate()
    await job.finish()
    assert job.stage.steps().count("set-up") == 1
    assert not (job.repository / "deps").exists()
    files = git(job.repository, "ls-tree", "-r", "--name-only", (await job.view())["branch"])
    assert "deps" not in files
    shown = workspace(engine, "show", repository=job.repository)
    assert "(trusted)" in shown.stderr
    assert tomllib.loads(shown.stdout)["setup"]


async def test_a_worker_killed_while_it_sets_up_does_it_again_and_tasks_wait(
    job: Job, engine: Engine
):
    await trust(job)
    job.stage.hold("set-up")
    await job.begin()
    await job.stage.reached("set-up")
    assert (await job.view())["set_up"]["stage"] == "running"
    await engine.kill_worker()
    job.stage.release("set-up")
    await engine.repair()
    await job.to_the_gate()
    await job.finish()
    assert job.stage.steps().count("set-up") in {1, 2}
    steps = job.stage.steps()
    assert max(n for n, step in enumerate(steps) if step == "set-up") < steps.index(
        "left.task.begun"
    )


async def test_one_that_fails_waits_for_a_person_who_edits_it(job: Job, engine: Engine):
    write_recipe(job, "echo looking for the library", "echo 'no such library' >&2; exit 7")
    await trust(job)
    await job.begin()
    ended = await job.seen("set_up_ended")
    assert "exit code 7" in ended.result.failure
    assert "no such library" in ended.result.output
    (item,) = [each for each in await waiting(job) if each["kind"] == "set_up"]
    assert "exit code 7" in item["reason"]
    listed = engine.run("treadle", "inbox", timeout=60).stdout
    assert f"treadle retry-set-up {job.thread}" in listed
    assert not (job.stage.folder / "steps").exists()

    retried = engine.run("treadle", "retry-set-up", job.thread, timeout=60)
    assert retried.returncode == 0, retried.stderr
    assert "exit code 7" in (await job.seen("set_up_ended", number=2)).result.failure
    edited = {"text": f'setup = ["""{MADE}"""]\n{MORE}'}
    await job.post(f"/v1/threads/{job.thread}/set-up/retry", edited)
    await job.to_the_gate()
    await job.finish()
    assert [each for each in await waiting(job) if each["kind"] == "set_up"] == []


async def test_a_person_may_do_without(job: Job):
    write_recipe(job, "exit 1")
    await trust(job)
    await job.begin()
    await job.seen("set_up_ended")
    await job.post(f"/v1/threads/{job.thread}/set-up/skip")
    failed = await job.seen("turn_ended", "left/session-1")
    assert failed.kind == "turn_ended"
    assert (await job.view())["set_up"]["stage"] == "skipped"


async def test_the_proposed_recipe_is_tried_and_kept(job: Job, engine: Engine):
    (job.repository / ".treadle" / "workspace.toml").unlink()
    (job.repository / "Makefile").write_text(f"setup:\n\t{MADE}\n")
    scenario_file = job.repository / ".treadle" / "scenario.yaml"
    script = yaml.safe_load(scenario_file.read_text())
    scenario_file.write_text(yaml.safe_dump(_without(script, KNOWS)))
    git(job.repository, "add", "--all")
    git(job.repository, *AUTHOR, "commit", "--quiet", "--message", "Make")
    shown = workspace(engine, "show", repository=job.repository)
    assert "make setup" in shown.stdout, shown.stderr
    kept = workspace(engine, "init", repository=job.repository)
    assert kept.returncode == 0, kept.stderr
    tried = workspace(engine, "try", repository=job.repository)
    assert tried.returncode == 0, tried.stderr
    assert "Set up in" in tried.stdout
    body = {"repository": str(job.repository), "command_id": "again"}
    checks = [(await job.post("/v1/recipes/checks/try", body))["number"] for _ in range(2)]
    assert checks[0] == checks[1]
    await job.begin()
    await job.to_the_gate()
    await job.finish()
