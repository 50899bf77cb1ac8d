"""The main job with a vendor's real agent: Codex behind codex-acp, its model played by the stub."""

import pytest

from tests.agents.codex_job import CodexJob
from tests.e2e.engine import Engine, until
from tests.e2e.job import git
from tests.model_stub import ModelStub

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]  # the first run installs Codex


@pytest.mark.smoke
async def test_codex_does_the_whole_job_though_its_worker_is_killed_in_a_turn(
    engine: Engine, job: CodexJob, model: ModelStub
):
    await job.begin()
    fixed = await job.seen("gate_opened", "sums")
    await until(lambda: ("greeting", 1) in played(model))
    engine.kill("worker")
    await engine.emptied()
    await engine.repair()
    await job.approve(fixed)
    await job.approve(await job.seen("gate_opened", "greeting"))
    end = await job.seen("plan_completed")
    await engine.emptied()

    assert end.final_status == "completed"
    assert_merged(job)
    assert_planner_could_not_write(model)
    assert_failed_once_and_fixed(job)
    assert_resumed_where_it_was(job, model)
    assert not [entry["problem"] for entry in model.log() if entry["problem"]]
    assert not job.told("agent_notice"), "modes and permissions are as the profile says"


def played(model: ModelStub) -> list[tuple[str, int]]:
    return [(entry["rule"], entry["step"]) for entry in model.log()]


def after(model: ModelStub, rule: str, step: int) -> str:
    """What the agent answered to the model's call in a step."""
    return next(e["last_result"] for e in model.log() if (e["rule"], e["step"]) == (rule, step + 1))


def assert_merged(job: CodexJob):
    branch = "treadle/" + job.thread.removeprefix("thread-")
    files = git(job.repository, "ls-tree", "--name-only", branch).split()
    assert files == [".gitignore", "greeting.txt", "sums.py", "test_sums.py"]
    assert "a + b" in git(job.repository, "show", f"{branch}:sums.py")
    assert git(job.repository, "status", "--porcelain") == ""


def assert_planner_could_not_write(model: ModelStub):
    assert "Read-only file system" in after(model, "plan", 1)


def assert_failed_once_and_fixed(job: CodexJob):
    verdicts = [body.passed for body in job.told("verification_ended", "sums")]
    assert verdicts == [False, True]
    assert "test_add" in job.told("prompt_sent", "sums/session-1")[1].text, "it is told what failed"


def assert_resumed_where_it_was(job: CodexJob, model: ModelStub):
    first, second = job.told("agent_session_opened", "greeting/session-1")
    assert (second.agent_session, second.is_resumed) == (first.agent_session, True)
    assert [p.text.splitlines()[0] for p in job.told("prompt_sent", "greeting/session-1")] == [
        "# Treadle: task greeting",
        "# Treadle: interrupted",
    ]
    assert "?? greeting.txt" in after(model, "interrupted", 0), "the work was kept"
    assert played(model).count(("greeting", 0)) == 1, "no finished step ran again"
