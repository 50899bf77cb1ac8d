"""A plan without tasks is carried out in the session that planned it, also where its worker is killed."""

import asyncio
from contextlib import aclosing
from typing import Any

import httpx
import pytest

from domain.core.ids import WORK, ThreadId
from domain.threads.running.events import TaskProgressed
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

SESSION = "session-1"


def scenario(job: Job) -> dict[str, Any]:
    stage = job.stage
    check = f"{stage.note('verify')} && grep -q note note.txt"
    plan = {
        "goal": "Write a note",
        "summary": "One note in note.txt.",
        "verification": [{"type": "command", "label": "note is right", "command": check}],
    }
    done = {"call": "report_done", "with": {"summary": "The note is there."}}
    return {
        "name": "note",
        "rules": [
            {"when": {"prompt": "message", "text": "Hello"}, "steps": [{"say": "Hello."}]},
            {
                "when": {"prompt": "planner"},
                "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
            },
            {
                "when": {"prompt": "task"},
                "steps": [
                    {"run": stage.note("begun")},
                    {"write": "note.txt", "text": "noet\n"},
                    {"run": stage.place("working")},
                    {"run": stage.note("worked")},
                    done,
                ],
            },
            {
                "when": {"prompt": "verification-failed"},
                "steps": [{"write": "note.txt", "text": "note\n"}, done],
            },
            {
                "when": {"prompt": "message", "text": "two lines"},
                "steps": [{"write": "note.txt", "text": "note\nmore note\n"}, done],
            },
            {
                "when": {"prompt": "gate-rejected"},
                "steps": [{"write": "note.txt", "text": "note\nmore note\nend\n"}, done],
            },
            {"when": {"prompt": "coordinator"}, "steps": [{"say": "It has three lines."}]},
        ],
    }


@pytest.fixture
def note(job: Job) -> Job:
    """A repository whose agent plans one unit of work; its first try is wrong."""
    job.repository = make_repository(job.repository.parent / "note", scenario(job))
    return job


async def planned(job: Job, *, is_chat: bool) -> None:
    """Open the thread, as a chat that is planned then, or planned at once; approve the plan."""
    goal = "Hello" if is_chat else "Write a note"
    body = {"repository": str(job.repository), "goal": goal, "agent": "scripted"}
    opened = await job.post("/v1/threads", {**body, "is_planned": not is_chat})
    job.thread = ThreadId(opened["thread_id"])
    if is_chat:
        await job.seen("turn_ended", SESSION)
        await job.post(f"/v1/threads/{job.thread}/plans", {"goal": "Write a note"})
    await job.approve(await job.seen("plan_proposed"))


async def say(job: Job, text: str) -> httpx.Response:
    """Say something to the thread, without naming a session."""
    return await job.http.post(f"/v1/threads/{job.thread}/messages", json={"text": text})


async def heard_of_the_gate(job: Job) -> None:
    """Wait until the thread knows that its work waits for approval."""
    async with asyncio.timeout(job.patience_seconds), aclosing(job.follow()) as events:
        async for journaled in events:
            body = journaled.event.body
            if isinstance(body, TaskProgressed) and body.progress.asks:
                return


def prompts(job: Job) -> list[str]:
    """Return the first lines of what the session's agents were sent."""
    stream = f"{job.thread}/{SESSION}"
    sent = (e.event for e in job.events if e.event.body.kind == "prompt_sent")
    return [e.body.text.splitlines()[0] for e in sent if e.stream == stream]  # pyright: ignore[reportAttributeAccessIssue]


def turns(job: Job) -> list[str]:
    """Return the ids of the session's turns, in order."""
    stream = f"{job.thread}/{SESSION}"
    ends = (e.event for e in job.events if e.event.body.kind == "turn_ended")
    return [e.body.result.turn_id for e in ends if e.stream == stream]  # pyright: ignore[reportAttributeAccessIssue]


async def checkpointed(job: Job) -> list[str]:
    """Return whose turns the checkpoints are of, in order."""
    listed = (await job.http.get(f"/v1/threads/{job.thread}/checkpoints")).json()
    turns = [each for each in listed if each["number"]]
    return ["the work" if each["task_id"] == WORK else each["label"] for each in turns]


@pytest.mark.smoke
@pytest.mark.parametrize("is_chat", [True, False])
async def test_the_work_goes_on_in_the_session_that_planned(
    note: Job, engine: Engine, *, is_chat: bool
):
    job = note
    job.stage.hold("working")
    await planned(job, is_chat=is_chat)
    await job.stage.reached("working")
    view = await job.view()
    assert [s["session_id"] for s in view["sessions"]] == [f"{job.thread}/{SESSION}"]
    assert (view["tasks"], view["progress"]) == ([], {"done": 0, "total": 0})
    assert (view["status"], view["work"]["doing"]) == ("running", "turn 1")
    assert view["sessions"][0]["is_working"]
    assert view["sessions"][0]["role"] == "work"

    await engine.kill_worker()
    job.stage.release("working")
    await engine.repair()
    gate = await job.seen("gate_opened", WORK)
    await heard_of_the_gate(job)
    refused = await say(job, "Write two lines")
    assert refused.status_code == httpx.codes.CONFLICT
    assert "reject it with your text" in refused.json()["detail"]
    view = await job.view()
    assert view["status"] == "waiting"
    assert [r["request"]["subject"] for r in view["requests"]] == ["gate"]
    assert [a["attempt"] for a in view["work"]["attempts"]] == [1, 2]

    asked = gate.model_dump(mode="json")["request"]
    body = {key: asked[key] for key in ("request_id", "content_hash")}
    await job.post(
        f"/v1/threads/{job.thread}/approvals", {**body, "choice": "reject", "feedback": "An end"}
    )
    await job.approve(await job.seen("gate_opened", WORK, number=2))
    await job.seen("plan_completed")
    view = await job.view()
    assert view["plan_status"] == "completed"
    assert git(job.repository, "show", f"{view['branch']}:note.txt") == "note\nmore note\nend\n"
    assert "its work is merged" in view["summary"]

    assert await checkpointed(job) == (["turn 1"] if is_chat else []) + ["the work"] * 3

    answer = (await say(job, "How many lines?")).json()
    assert answer["data"]["session_id"] == f"{job.thread}/{SESSION}"
    await job.seen("role_changed", SESSION, number=3 if is_chat else 2)
    first = 2 if is_chat else 1
    last = await job.seen("turn_ended", SESSION, number=first + 4)
    assert last.result.text.endswith("It has three lines.")  # pyright: ignore[reportAttributeAccessIssue]
    numbers = [int(turn.rpartition("-")[2]) for turn in turns(job)]
    assert numbers == list(range(1, first + 5)), turns(job)


async def test_a_message_reaches_the_work_and_its_turn_is_stopped_by_its_session(note: Job):
    job = note
    job.stage.hold("working")
    await planned(job, is_chat=True)
    await job.stage.reached("working")
    await say(job, "Write two lines")
    await job.seen("message_queued", WORK)
    listed = (await job.http.get(f"/v1/threads/{job.thread}/messages")).json()
    assert [(m["session_id"], m["text"]) for m in listed] == [
        (f"{job.thread}/{SESSION}", "Write two lines")
    ]
    await job.post(f"/v1/threads/{job.thread}/sessions/1/stop")
    await job.seen("turn_ended", SESSION, number=3)  # let go on earlier, it would do its work
    job.stage.release("working")
    await job.approve(await job.seen("gate_opened", WORK))
    await job.seen("plan_completed")
    view = await job.view()
    assert git(job.repository, "show", f"{view['branch']}:note.txt") == "note\nmore note\n"


async def test_an_aborted_work_is_tried_again_in_the_same_session(note: Job):
    job = note
    job.stage.hold("working")
    await planned(job, is_chat=True)
    await job.stage.reached("working")
    path = f"/v1/threads/{job.thread}/tasks/{WORK}"
    await job.post(f"{path}/abort")
    job.stage.release("working")
    await job.seen("task_settled")
    await job.seen("role_changed", SESSION, number=3)
    await job.post(f"{path}/retry")
    await job.approve(await job.seen("gate_opened", WORK))
    await job.seen("plan_completed")
    view = await job.view()
    assert [s["session_id"] for s in view["sessions"]] == [f"{job.thread}/{SESSION}"]
    assert len(set(turns(job))) == len(turns(job))
    assert "Hello" in prompts(job)
