"""Agents ask, the worker dies, a person answers at one of the doors, the agent goes on."""

import shlex
from typing import Any

from domain.core.ids import ThreadId
from tests.e2e.engine import Engine
from tests.e2e.job import Job, make_repository
from tests.e2e.test_chats import say

DEPLOY = {"ask": "Deploy", "kind": "other", "with": {"where": "production"}}
DONE: list[dict[str, Any]] = [
    {"write": "deployed.txt", "text": "${option}\n", "if": "allowed"},
    {"say": "It was ${answer}."},
]
WHICH = {
    "question": "Which database?",
    "header": "Database",
    "options": [{"label": "SQLite"}, {"label": "PostgreSQL"}],
}
TASK = {"id": "store", "title": "Choose a store", "gate": "auto"}
SCENARIO = {
    "name": "questions",
    "rules": [
        {
            "when": {"prompt": "planner"},
            "steps": [{"call": "propose_plan", "with": {"plan": {"tasks": [TASK]}}}],
        },
        {
            "when": {"role": "task", "prompt": "task"},
            "steps": [{"call": "ask_decision", "with": WHICH}],
        },
        {
            "when": {"role": "task", "prompt": "message"},
            "steps": [{"call": "report_done", "with": {"summary": "chosen"}}],
        },
        {"when": {"prompt": "message", "text": "deploy"}, "steps": [DEPLOY, *DONE]},
    ],
}


def repository(job: Job) -> None:
    job.repository = make_repository(job.repository.parent / "questions", SCENARIO)


async def the_question(job: Job) -> dict[str, Any]:
    """Return the one open question as the thread shows it."""
    (asked,) = (await job.view())["questions"]
    return asked


async def test_a_question_asked_before_the_workers_death_is_answered_after_it(
    engine: Engine, job: Job
):
    """The answer is the line that the thread shows, given to Temporal's own command line."""
    repository(job)
    await begin_chat(job, "deploy it")
    await job.seen("question_asked", "session-1")
    asked = await the_question(job)
    engine.kill("worker")
    sent = engine.run(*shlex.split(asked["signal_lines"]["once: Once"]))
    await engine.repair()
    await job.seen("turn_ended", "session-1")

    assert sent.returncode == 0, sent.stderr
    kinds = [j.event.body.kind for j in job.events]
    assert (kinds.count("question_asked"), kinds.count("question_answered")) == (1, 1)
    assert said(job).endswith("It was allowed.")


async def begin_chat(job: Job, goal: str) -> None:
    body = {
        "repository": str(job.repository),
        "goal": goal,
        "agent": "scripted",
        "is_planned": False,
    }
    job.thread = ThreadId((await job.post("/v1/threads", body))["thread_id"])


def said(job: Job) -> str:
    updates = [j.event.body.update for j in job.events if j.event.body.kind == "agent_update"]
    return "".join(
        u["content"]["text"] for u in updates if u["sessionUpdate"] == "agent_message_chunk"
    ).strip()


async def test_a_person_answers_by_command_and_is_not_asked_again_until_they_forget(
    engine: Engine, job: Job
):
    repository(job)
    await begin_chat(job, "deploy it")
    await job.seen("question_asked", "session-1")
    listed = (await job.http.get("/v1/threads?status=waiting")).json()["threads"]
    allowed = engine.run("treadle", "allow", job.thread, "--remember", "session")
    await job.seen("turn_ended", "session-1")
    await say(job, 1, "deploy again")
    shown = engine.run("treadle", "show", job.thread).stdout
    forgotten = engine.run("treadle", "forget", job.thread, "session-1/rule-1")
    await say_only(job, "deploy once more")
    await job.seen("question_asked", "session-1", number=2)
    denied = engine.run("treadle", "deny", job.thread)
    await job.seen("turn_ended", "session-1", number=3)

    waits = {line["thread_id"]: line["waiting_for"] for line in listed}
    assert "permission: Deploy" in waits[job.thread]
    assert [r.returncode for r in (allowed, forgotten, denied)] == [0, 0, 0], denied.stderr
    assert "other: Deploy: allowed in its session" in " ".join(shown.split())
    assert said(job).endswith("It was refused.")


async def say_only(job: Job, text: str) -> None:
    session = f"{job.thread}/session-1"
    await job.post(f"/v1/threads/{job.thread}/messages", {"text": text, "session_id": session})


async def test_a_task_needs_a_decision_and_goes_on_with_it(engine: Engine, job: Job):
    repository(job)
    await job.begin()
    await job.seen("turn_ended", "store")
    view = await job.view()
    decided = engine.run("treadle", "decide", job.thread, "store/question-1-1", "PostgreSQL")
    await job.seen("plan_completed")

    assert view["tasks"][0]["status"] == "needs_decision"
    assert view["status"] == "waiting"
    assert decided.returncode == 0, decided.stderr
    assert any("The person decided: PostgreSQL" in prompt for prompt in prompts(job))


def prompts(job: Job) -> list[str]:
    return [j.event.body.text for j in job.events if j.event.body.kind == "prompt_sent"]
