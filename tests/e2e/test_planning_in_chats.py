"""Planning in the chat that it was asked in: what was said and written is known, nothing is changed."""

from pathlib import Path
from typing import Any

import pytest

from domain.core.ids import ThreadId
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

NOTES = "Tokens last an hour.\n"


def scenario(told: Path) -> dict[str, Any]:
    """Return what the agent does; what its planner reads and may not write is noted in a folder."""
    looks = f"cat notes.txt >> {told}/read; touch planned.txt 2>> {told}/refused; true"
    one = {"id": "auth", "title": "Build the auth system", "gate": "auto"}
    check = {"type": "command", "label": "built", "command": "grep -q Tokens auth.txt"}
    plan = {"goal": "Auth", "summary": "As discussed.", "tasks": [{**one, "verification": [check]}]}
    return {
        "name": "planning in a chat",
        "rules": [
            {
                "when": {"prompt": "message", "text": "hour"},
                "steps": [{"write": "notes.txt", "text": NOTES}, {"say": "Noted."}],
            },
            {
                "when": {"prompt": "message", "text": "more"},
                "steps": [{"write": "more.txt", "text": "more\n"}, {"say": "Added."}],
            },
            {
                "when": {"prompt": ["planner", "planner-feedback"]},
                "steps": [{"run": looks}, {"call": "propose_plan", "with": {"plan": plan}}],
            },
            {
                "when": {"task": "auth"},
                "steps": [
                    {"write": "auth.txt", "text": "Tokens\n"},
                    {"call": "report_done", "with": {"summary": "built"}},
                ],
            },
        ],
    }


@pytest.fixture
async def chat(engine: Engine, job: Job, tmp_path: Path) -> tuple[Job, Path]:
    """A chat that wrote its notes, and where what the planner met is noted."""
    told = engine.outside / f"told-{tmp_path.name}"
    told.mkdir()
    job.repository = make_repository(job.repository.parent / "auth", scenario(told))
    body = {"repository": str(job.repository), "goal": "Tokens last an hour", "agent": "scripted"}
    job.thread = ThreadId((await job.post("/v1/threads", body))["thread_id"])
    await job.seen("turn_ended", "session-1")
    return job, told


async def plan_it(job: Job) -> None:
    session = f"{job.thread}/session-1"
    words = "/plan Build the auth system we discussed"
    await job.post(f"/v1/threads/{job.thread}/messages", {"text": words, "session_id": session})


def roles(job: Job) -> list[tuple[str, bool]]:
    bodies = [event.event.body for event in job.events]
    return [(body.role, body.is_reset) for body in bodies if body.kind == "role_changed"]


async def test_the_planner_is_the_chat_that_reads_and_does_not_write(chat: tuple[Job, Path]):
    job, told = chat
    await plan_it(job)
    proposed = await job.seen("plan_proposed")
    await job.seen("turn_ended", "session-1", number=2)

    assert proposed.session_id == f"{job.thread}/session-1"
    assert (told / "read").read_text() == NOTES
    assert "Read-only file system" in (told / "refused").read_text()
    opened = [e.event.body for e in job.events if e.event.body.kind == "agent_session_opened"]
    assert len({body.agent_session for body in opened}) == 1, (
        "it goes on in the agent's own session"
    )
    assert opened[-1].is_resumed
    assert [s["role"] for s in (await job.view())["sessions"]] == ["planner"]

    await job.approve(proposed)
    await job.seen("plan_completed")
    view = await job.view()
    assert [s["role"] for s in view["sessions"]] == ["chat"]
    assert git(job.repository, "show", f"{view['branch']}:auth.txt") == "Tokens\n"
    assert roles(job) == [("planner", False), ("chat", True)]


async def test_after_a_cancelled_plan_the_chat_writes_again_though_its_worker_was_killed(
    chat: tuple[Job, Path],
):
    job, told = chat
    await plan_it(job)
    await job.seen("plan_proposed")
    job.engine.kill("worker")
    await job.engine.repair()
    await job.post(f"/v1/threads/{job.thread}/cancel")
    session = f"{job.thread}/session-1"
    say = {"text": "one more thing", "session_id": session}
    await job.post(f"/v1/threads/{job.thread}/messages", say)
    await job.seen("turn_ended", "session-1", number=3)
    await job.seen("prompt_queued", number=3)  # later than the turn: its first write was cut off

    sessions = (await job.view())["sessions"]
    assert [(s["role"], s["files"]) for s in sessions] == [("chat", ["notes.txt", "more.txt"])]
    assert (told / "read").read_text() == NOTES
    assert roles(job) == [("planner", False), ("chat", False)]
