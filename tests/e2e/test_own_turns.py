"""The thread's agent takes turns without a message: it helps later tasks, amends, aborts, and stops."""

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import pytest

from domain.conversations.events import PromptSent
from domain.core.event import Event
from domain.core.ids import ThreadId
from domain.tasks.status import TaskStatus
from domain.threads.amending.events import AmendmentProposed
from domain.threads.events import TaskUpdated
from domain.threads.running.events import OwnTurnTaken
from tests.e2e.job import Job, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

CONTEXT = "base names everything in capitals"
LEARNED = "the tests need a clean folder"
REASON = "nobody needs it any more"
FAILS = {
    "gate": "auto",
    "maxRetries": 1,
    "verification": [{"type": "command", "label": "never passes", "command": "false"}],
}


def task(name: str, *needs: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "title": name, "dependsOn": list(needs), "gate": "auto", **more}


PLAN = {
    "summary": "five tasks, two of which fail",
    "tasks": [
        task("base", verification=[{"type": "command", "label": "passes", "command": "true"}]),
        task("broken", **FAILS),
        task("wrong", **FAILS),
        task("stuck"),
        task("later", "base", "broken", **FAILS),
    ],
}
UNHOOK = {
    "why": "broken is not needed for it",
    "base_version": 1,
    "changes": [{"change": "modify", "task_id": "later", "task": {"dependsOn": ["base"]}}],
}


def call(tool: str, **arguments: Any) -> dict[str, Any]:
    return {"call": tool, "with": arguments}


def rule(when: dict[str, Any], *steps: dict[str, Any]) -> dict[str, Any]:
    return {"when": when, "steps": list(steps)}


def scenario(job: Job) -> dict[str, Any]:
    """Two turns of its own: the first stops while two tasks fail, the second amends and aborts."""
    done = call("report_done", summary="done")
    late = {"run": job.stage.place("late")}
    first = [
        call("enrich_task", task_id="later", context=CONTEXT),
        call("record_learning", learning="next", text=LEARNED),
        {"run": job.stage.place("own")},
    ]
    second = [
        call("propose_amendment", **UNHOOK),
        call("abort_task", task_id="stuck", reason=REASON),
        {"say": "later can go on without broken."},
    ]
    return {
        "name": "own turns",
        "rules": [
            rule({"prompt": "planner"}, call("propose_plan", plan=PLAN)),
            {"when": {"prompt": "own-turn"}, "turns": [first, second]},
            rule(
                {"task": "base"},
                call("record_learning", learning="unexpected", text="capitals"),
                {"write": "base.txt", "text": "BASE\n"},
                done,
            ),
            rule(
                {"task": ["broken", "wrong"]}, late, {"write": "${task}.txt", "text": "x\n"}, done
            ),
            rule({"task": "stuck"}, {"hang": True}),
            rule({"task": "later"}, {"write": "later.txt", "text": "x\n"}, done),
        ],
    }


async def happened(job: Job, is_it: Callable[[Event], bool], times: int = 1) -> Event:
    """Wait until something has happened so many times."""
    async with asyncio.timeout(job.patience_seconds), aclosing(job.follow()) as events:
        async for journaled in events:
            times -= is_it(journaled.event)
            if not times:
                return journaled.event
    raise AssertionError("a stream of events has no end")


def is_end(status: TaskStatus, *names: str) -> Callable[[Event], bool]:
    return lambda event: (
        isinstance(event.body, TaskUpdated)
        and event.body.task_id in names
        and event.body.new_status is status
    )


def own_turns(job: Job) -> list[OwnTurnTaken]:
    return [e.event.body for e in job.events if isinstance(e.event.body, OwnTurnTaken)]


async def begin(job: Job) -> None:
    job.stage.hold("own", "late")
    job.repository = make_repository(job.repository.parent / "own", scenario(job))
    body = {
        "repository": str(job.repository),
        "goal": "do it",
        "agent": "scripted",
        "is_planned": True,
        "planner": {"own_turns": 2, "own_turns_wait_seconds": 0, "agent_aborts": True},
    }
    job.thread = ThreadId((await job.post("/v1/threads", body))["thread_id"])
    await job.approve(await job.seen("plan_proposed"))


async def test_the_agent_takes_turns_of_its_own_and_no_more_than_are_allowed(job: Job):
    await begin(job)
    await job.stage.reached("own")
    job.stage.release("late")
    await happened(job, is_end(TaskStatus.FAILED, "broken", "wrong"), 2)
    job.stage.release("own")
    proposed = await happened(job, lambda event: isinstance(event.body, AmendmentProposed))
    await happened(job, is_end(TaskStatus.CANCELLED, "stuck"))
    await job.approve(proposed.body)
    await happened(job, is_end(TaskStatus.FAILED, "later"))
    await job.seen("own_turn_ended", number=2)

    first, second = own_turns(job)
    assert [cause.cause for cause in first.causes] == ["learnings"]
    assert [(c.cause, c.task_id) for c in second.causes if c.cause == "failure"] in (
        [("failure", "broken"), ("failure", "wrong")],
        [("failure", "wrong"), ("failure", "broken")],
    )
    assert (first.left, second.left) == (1, 0)
    view = await job.view()
    tasks = {each["task_id"]: each for each in view["tasks"]}
    assert tasks["later"]["context"] == [CONTEXT]
    assert tasks["stuck"]["abort_reason"] == REASON
    assert view["running"]["own_turns"] == {"taken": 2, "left": 0, "is_running": False}
    told = await happened(
        job, lambda e: e.stream.endswith("/later/session-1") and isinstance(e.body, PromptSent)
    )
    assert CONTEXT in told.body.model_dump()["text"]
    assert LEARNED in told.body.model_dump()["text"]
    items = (await job.http.get("/v1/inbox")).json()["items"]
    waits = {item["task_id"]: item["reason"] for item in items if item["thread_id"] == job.thread}
    assert waits["stuck"] == REASON
    assert "later" in waits
    await job.post(f"/v1/threads/{job.thread}/cancel")


async def test_a_thread_that_has_them_turned_off_takes_none(job: Job):
    job.stage.release("late", "own")
    job.repository = make_repository(job.repository.parent / "off", scenario(job))
    body = {
        "repository": str(job.repository),
        "goal": "do it",
        "agent": "scripted",
        "is_planned": True,
        "planner": {"own_turns": 5, "own_turns_wait_seconds": 0},
    }
    job.thread = ThreadId((await job.post("/v1/threads", body))["thread_id"])
    proposed = await job.seen("plan_proposed")
    answer = await job.post(f"/v1/threads/{job.thread}/own-turns", {"turns": 0})
    assert answer["message"] == "the thread's agent takes no turns of its own"
    await job.approve(proposed)
    await happened(job, is_end(TaskStatus.FAILED, "broken", "wrong"), 2)
    await job.post(f"/v1/threads/{job.thread}/cancel")
    await job.seen("plan_completed")
    assert not own_turns(job)
    refused = await job.http.post(f"/v1/threads/{job.thread}/own-turns", json={"turns": 1001})
    assert refused.status_code == 422
