"""An agent reaches for a host that no list has: the person is asked, once, and the connection goes on."""

import shlex
import sys
from typing import Any

from tests.adapters.test_egress import FETCH
from tests.e2e.engine import Engine
from tests.e2e.job import Job, make_repository
from tests.e2e.test_questions import begin_chat, say_only

TASK = {
    "id": "fetch",
    "title": "Fetch",
    "gate": "ask",
    "verification": [{"type": "command", "command": "python3 fetch.py step.invalid:443"}],
}


def reach(place: str) -> dict[str, Any]:
    return {"run": shlex.join((sys.executable, "-c", FETCH, place)), "timeout": 120}


SCENARIO = {
    "name": "hosts",
    "rules": [
        {"when": {"prompt": "message", "text": "first"}, "steps": [reach("one.invalid:443")]},
        {"when": {"prompt": "message", "text": "again"}, "steps": [reach("one.invalid:443")]},
        {"when": {"prompt": "message", "text": "second"}, "steps": [reach("two.invalid:443")]},
        {
            "when": {"prompt": "planner"},
            "steps": [{"call": "propose_plan", "with": {"plan": {"tasks": [TASK]}}}],
        },
        {
            "when": {"role": "task", "prompt": "task"},
            "steps": [
                {"write": "fetch.py", "text": FETCH},
                {"call": "report_done", "with": {"summary": "fetched"}},
            ],
        },
    ],
}


TEMPLATE = """---
name: Default
resources: {hosts: [one.invalid, step.invalid]}
---
"""


def repository(job: Job) -> None:
    job.repository = make_repository(job.repository.parent / "hosts", SCENARIO)


def printed(job: Job) -> str:
    return "".join(
        str(j.event.body.update) for j in job.events if j.event.body.kind == "agent_update"
    )


def asked(job: Job) -> list[str]:
    bodies = [j.event.body for j in job.events]
    return [body.question.title for body in bodies if body.kind == "question_asked"]


async def test_a_host_is_asked_for_once_and_a_no_is_told_to_the_program(engine: Engine, job: Job):
    repository(job)
    await begin_chat(job, "first")
    await job.seen("question_asked", "session-1")
    listed = (await job.http.get("/v1/threads?status=waiting")).json()["threads"]
    allowed = engine.run("treadle", "allow", job.thread)
    await job.seen("turn_ended", "session-1")
    first = printed(job)
    await say_only(job, "again")
    await job.seen("turn_ended", "session-1", number=2)
    again = printed(job)
    await say_only(job, "second")
    await job.seen("question_asked", "session-1", number=2)
    denied = engine.run("treadle", "deny", job.thread)
    await job.seen("turn_ended", "session-1", number=3)

    assert [r.returncode for r in (allowed, denied)] == [0, 0], allowed.stderr + denied.stderr
    waits = {line["thread_id"]: line["waiting_for"] for line in listed}
    assert "permission: reach one.invalid" in waits[job.thread]
    assert "502 Bad Gateway - one.invalid:443" in first, "allowed, and then not found"
    assert again.count("502 Bad Gateway") > first.count("502 Bad Gateway")
    assert "403 Forbidden - two.invalid:443 is not reached" in printed(job)
    assert asked(job) == ["reach one.invalid", "reach two.invalid"]


async def test_what_a_step_did_not_reach_is_reported_at_the_gate(engine: Engine, job: Job):
    repository(job)
    await job.begin()
    ended = await job.seen("verification_step_ended", "fetch")
    await job.seen("gate_opened", "fetch")
    shown = engine.run("treadle", "show", job.thread, "--json").stdout
    applied = [j.event.body for j in job.events if j.event.body.kind == "sandbox_applied"]

    assert ended.result.sandbox.endswith("; refused: step.invalid")
    assert all(body.summary.endswith("HTTPS by the list of hosts, no UDP") for body in applied)
    assert "; refused: step.invalid" in shown


async def test_hosts_of_the_template_are_reached_unasked(engine: Engine, job: Job):
    repository(job)
    folder = engine.config / "plan-templates" / "default"
    folder.mkdir(parents=True)
    (folder / "TEMPLATE.md").write_text(TEMPLATE)
    await job.begin()
    ended = await job.seen("verification_step_ended", "fetch")
    job.events.clear()
    await begin_chat(job, "first")
    await job.seen("turn_ended", "session-1")

    assert "502 Bad Gateway - step.invalid:443" in ended.result.output, (
        "allowed, and then not found"
    )
    assert "refused" not in ended.result.sandbox
    assert "502 Bad Gateway - one.invalid:443" in printed(job)
    assert asked(job) == []
