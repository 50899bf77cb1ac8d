"""The main job with Treadle's own agent: only a key is set, and nobody names an agent."""

import pytest

from settings import MODEL_VARIABLES
from tests.agents.builtin.client import PROGRAMS, installed
from tests.agents.codex_job import CODEX, CodexJob
from tests.e2e.engine import Engine, until
from tests.e2e.job import git
from tests.model_stub import ModelStub, load, serving

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]  # the first run installs it


class OwnAgentsJob(CodexJob):
    """The job of Codex, for the agent that is taken where none is named.

    Each of its processes imports much: on a busy machine half a minute, four times until the gate.
    """

    patience_seconds = 240

    async def open(self) -> None:
        """Open the thread."""
        body = {
            "repository": str(self.repository),
            "goal": "Sums and greetings",
            "is_planned": True,
            "planner": {"own_turns": 0},
        }
        self.thread = (await self.post("/v1/threads", body))["thread_id"]


@pytest.fixture
def model():
    """What plays the model; a planner of this agent has no tool that could even try to write."""
    script = load(CODEX / "model.yaml")
    (plan,) = (rule for rule in script["rules"] if rule["name"] == "plan")
    plan["turns"] = [turn for turn in plan["turns"] if "planned.txt" not in str(turn)]
    return ModelStub(script)


@pytest.fixture
async def job(tmp_path, model):
    """A job on an engine whose environment has a key, and not much else."""
    await installed()
    engine = Engine(tmp_path)
    for name in MODEL_VARIABLES:
        engine.environment.pop(name, None)
    with serving(model) as url:
        engine.environment |= {
            "TREADLE_PROGRAMS_DIR": str(PROGRAMS),
            "ANTHROPIC_API_KEY": "sk-test",
            "ANTHROPIC_BASE_URL": url,
        }
        try:
            await engine.start("temporal", "api", "worker")
            async with engine.http() as http:
                yield OwnAgentsJob(engine, http, tmp_path / "repository")
        finally:
            engine.stop()


async def test_own_agent_does_the_whole_job_though_its_worker_is_killed_in_a_turn(
    job: OwnAgentsJob, model: ModelStub
):
    await job.begin()
    fixed = await job.seen("gate_opened", "sums")
    await until(lambda: ("greeting", 1) in played(model))
    job.engine.kill("worker")
    await job.engine.emptied()
    await job.engine.repair()
    await job.approve(fixed)
    await job.approve(await job.seen("gate_opened", "greeting"))
    end = await job.seen("plan_completed")
    await job.engine.emptied()

    assert end.final_status == "completed"
    branch = "treadle/" + job.thread.removeprefix("thread-")
    files = git(job.repository, "ls-tree", "--name-only", branch).split()
    assert files == [".gitignore", "greeting.txt", "sums.py", "test_sums.py"]
    assert [body.passed for body in job.told("verification_ended", "sums")] == [False, True]
    first, second = job.told("agent_session_opened", "greeting/session-1")
    assert (second.agent_session, second.is_resumed) == (first.agent_session, True)
    assert played(model).count(("greeting", 0)) == 1, "no finished step ran again"
    assert not [entry["problem"] for entry in model.log() if entry["problem"]]
    notices = [body.message for body in job.told("agent_notice")]
    assert all(notice.endswith(": allowed once") for notice in notices), notices


def played(model: ModelStub) -> list[tuple[str, int]]:
    return [(entry["rule"], entry["step"]) for entry in model.log()]
