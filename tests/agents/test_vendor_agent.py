"""The main job with a vendor's real agent: Codex behind codex-acp, its model played by the stub."""

import pytest

from domain.events.session import AgentUpdate
from domain.events.thread import PlanCompleted, PlanStatus
from tests.agents.conftest import git
from tests.agents.engine import Job, kill_worker

pytestmark = [pytest.mark.agents, pytest.mark.timeout(600)]


def test_codex_does_the_whole_job_and_outlives_a_killed_worker(settings, repository, model):
    stub, _ = model
    job = Job(settings, repository, "Sums and greetings", "codex-stub")

    job.until(lambda event: _is_done_writing(event, "greeting.txt"), seconds=90)
    kill_worker(settings)
    end = job.until(lambda event: isinstance(event.body, PlanCompleted), seconds=120)
    for e in stub.log():
        print(
            e["rule"], e["step"], e["problem"], e["reply"]["calls"], (e["last_result"] or "")[:150]
        )
    for e in job.events:
        print(e.event.stream, str(e.event.body)[:200])

    assert end.body.final_status is PlanStatus.COMPLETED


def _is_done_writing(event, name) -> bool:
    body = event.body
    return (
        isinstance(body, AgentUpdate)
        and body.update.get("status") == "completed"
        and name in str(body.update)
    )
