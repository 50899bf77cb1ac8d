"""Whatever a person decides is bound to the revision that they were shown: an older one is refused."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

import pytest

from domain.core.event import EventBody
from tests.e2e.job import Job, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

DONE = {"call": "report_done", "with": {"summary": "done"}}


class Asked(NamedTuple):
    """Where the newest revision of what waits is answered, and the hashes of both."""

    path: str
    body: dict[str, Any]
    older: str
    newer: str


def task(name: str, **more: Any) -> dict[str, Any]:
    check = {"type": "command", "label": "written", "command": f"test -s {name}.txt"}
    return {"id": name, "title": f"Write {name}", "verification": [check], **more}


def plans(goal: str, *tasks: dict[str, Any], **more: Any) -> dict[str, Any]:
    plan = {"goal": goal, "summary": goal, "tasks": list(tasks), **more}
    return {
        "when": {"role": "planner", "text": f"Goal\\n\\n{goal}"},
        "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
    }


def works(name: str, prompt: str, text: str, *before: dict[str, Any]) -> dict[str, Any]:
    written = {"write": f"{name}.txt", "text": f"{text}\n"}
    return {"when": {"task": name, "prompt": prompt}, "steps": [*before, written, DONE]}


async def begin(job: Job, *rules: dict[str, Any], **more: Any) -> None:
    """Open a thread on a repository of its own."""
    job.repository = make_repository(job.repository.parent / "shown", {"rules": list(rules)})
    body = {
        "repository": str(job.repository),
        "goal": "Write it",
        "agent": "scripted",
        "is_planned": True,
        **more,
    }
    job.thread = (await job.post("/v1/threads", body))["thread_id"]


def verdict(job: Job, older: EventBody, newer: EventBody) -> Asked:
    """Return the approval of the newer of two requests."""
    was, now = (opened.model_dump(mode="json")["request"] for opened in (older, newer))
    body = {"request_id": now["request_id"], "choice": "approve", "is_acknowledged": True}
    path = f"/v1/threads/{job.thread}/approvals"
    return Asked(path, body, was["content_hash"], now["content_hash"])


async def gate(job: Job) -> Asked:
    """A task's work, sent back once."""
    rules = works("one", "task", "first"), works("one", "gate-rejected", "second")
    await begin(job, plans("Write it", task("one", gate="ask")), *rules)
    await job.approve(await job.seen("plan_proposed"))
    older = await job.seen("gate_opened", "one")
    asked = verdict(job, older, older)
    back = {**asked.body, "content_hash": asked.older, "choice": "reject", "feedback": "again"}
    await job.post(asked.path, back)
    return verdict(job, older, await job.seen("gate_opened", "one", number=2))


async def plan(job: Job) -> Asked:
    """A plan, edited by a person."""
    await begin(job, plans("Write it", task("one", gate="ask")), works("one", "task", "first"))
    older = await job.seen("plan_proposed")
    mine = {"goal": "Write it", "summary": "Mine", "tasks": [task("one", gate="ask")]}
    await job.post(f"/v1/threads/{job.thread}/plans/1/edits", {"plan": mine})
    return verdict(job, older, await job.seen("plan_proposed", number=2))


async def decision(job: Job) -> Asked:
    """A decision of a plan, and that of the same name of the plan that came after it."""
    await begin(job, decides("Write it", "In ink?"), decides("Write otherwise", "In red ink?"))
    older = await the_decision(job, 1)
    await job.post(f"/v1/threads/{job.thread}/cancel")
    await job.seen("plan_completed")
    await job.post(f"/v1/threads/{job.thread}/plans", {"goal": "Write otherwise"})
    newer = await the_decision(job, 2)
    path = f"/v1/threads/{job.thread}/decisions/ink"
    return Asked(path, {"selections": ["yes"]}, older, newer)


def decides(goal: str, question: str) -> dict[str, Any]:
    options = [{"label": "yes"}, {"label": "no"}]
    waits = task("one", gate="ask", decision_id="ink")
    return plans(goal, waits, decisions=[{"id": "ink", "question": question, "options": options}])


async def the_decision(job: Job, number: int) -> str:
    """Approve the newest plan, and return the hash of the decision that it leaves open."""
    await job.approve(await job.seen("plan_proposed", number=number))
    await job.seen("plan_started", number=number)
    (asked,) = (await job.view())["decisions"]
    return asked["content_hash"]


async def question(job: Job) -> Asked:
    """Two questions of an agent, the first of them answered."""
    asks = [{"ask": f"Deploy {n}", "kind": "other", "with": {"number": n}} for n in (1, 2)]
    await begin(job, {"when": {"prompt": "message"}, "steps": asks}, is_planned=False)
    older = await the_question(job, 1)
    said = {"option_id": "once", "content_hash": older}
    path = f"/v1/threads/{job.thread}/questions/session-1/question-"
    await job.post(f"{path}1/answer", said)
    return Asked(f"{path}2/answer", {"option_id": "once"}, older, await the_question(job, 2))


async def the_question(job: Job, number: int) -> str:
    await job.seen("question_asked", "session-1", number=number)
    (asked,) = (await job.view())["questions"]
    return asked["question"]["content_hash"]


async def conflict(job: Job) -> Asked:
    """A conflict, and what is left of it as the side that was kept does not pass verification."""
    stage = job.stage.folder
    alone = {"type": "command", "label": "alone", "command": "! test -e other.txt"}
    both = task("one", gate="auto"), task("two", gate="auto", verification=[alone])
    other = {"write": "other.txt", "text": "x\n"}, {"write": "two.txt", "text": "one\n"}
    begun, merged = stage / "two.begun", stage / "one.merged"
    waits = {"run": f"touch {begun}"}, {"wait": {"file": str(merged)}}
    await begin(
        job,
        plans("Write it", *both),
        works("one", "task", "one", {"wait": {"file": str(begun)}}, *other),
        works("two", "task", "two", *waits),
        max_parallel_tasks=2,
    )
    await job.approve(await job.seen("plan_proposed"))
    await job.seen("task_merged")
    merged.touch()
    older = await the_conflict(job, 1)
    path, how = f"/v1/threads/{job.thread}/tasks/two/conflict", {"how": "keep_b"}
    await job.post(path, {**how, "content_hash": older})
    return Asked(path, how, older, await the_conflict(job, 2))


async def the_conflict(job: Job, number: int) -> str:
    await job.seen("conflict_found", number=number)
    (found,) = (await job.http.get(f"/v1/threads/{job.thread}/conflicts")).json()
    return found["content_hash"]


async def amendment(job: Job) -> Asked:
    """Two changes of a running plan, one after the other."""
    await begin(job, plans("Write it", task("one", gate="ask")), works("one", "task", "first"))
    await job.approve(await job.seen("plan_proposed"))
    await job.seen("gate_opened", "one")
    proposed: list[EventBody] = []
    for number, name in enumerate(("two", "three"), 1):
        added = {"change": "add", "task": task(name, depends_on=["one"])}
        change = {"why": f"{name} is missing", "base_version": 1, "changes": [added]}
        await job.post(f"/v1/threads/{job.thread}/amendments", {"amendment": change})
        proposed.append(await job.seen("amendment_proposed", number=number))
    return verdict(job, *proposed)


@pytest.mark.parametrize("asking", [gate, plan, decision, question, conflict, amendment])
async def test_the_hash_of_an_older_revision_is_refused_and_the_newest_taken(
    job: Job, asking: Callable[[Job], Awaitable[Asked]]
):
    path, body, older, newer = await asking(job)

    refused = await job.http.post(path, json={**body, "content_hash": older})
    taken = await job.http.post(path, json={**body, "content_hash": newer})

    assert older != newer
    assert (refused.status_code, refused.json()["type"]) == (409, "treadle:not_what_was_shown")
    assert taken.is_success, taken.text
