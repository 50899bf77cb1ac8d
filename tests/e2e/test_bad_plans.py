"""Bad plans, amendments and decisions at the real doors: a stable type, and nothing half-applied. The domain's tests have the rest."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import Job, make_repository

pytestmark = pytest.mark.e2e

ASKED = {
    "id": "which",
    "question": "Which?",
    "options": [{"label": "x"}, {"label": "y"}],
}
MANY = {**ASKED, "id": "many", "multi_select": True}


def task(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "title": name, **more}


def plan(*tasks: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"summary": "do it", "tasks": list(tasks), **more}


def one(**more: Any) -> dict[str, Any]:
    return plan(task("a", **more))


def step(**more: Any) -> dict[str, Any]:
    return one(verification=[{"type": "command", **more}])


PLAN = plan(
    task("one"),
    task("two", depends_on=["one"]),
    task("three", decision_id="which"),
    decisions=[ASKED, MANY],
)
SCENARIO = {
    "name": "bad plans",
    "rules": [
        {
            "when": {"prompt": "planner"},
            "steps": [{"call": "propose_plan", "with": {"plan": PLAN}}],
        },
        {
            "when": {"task": "one"},
            "steps": [
                {"write": "one.txt", "text": "1\n"},
                {"call": "report_done", "with": {"summary": "one"}},
            ],
        },
    ],
}
REFUSED = [
    (plan(*(task(f"t{n}") for n in range(1_001))), "too_many_tasks"),
    (plan(task("a"), task("a")), "duplicate_id"),
    (plan(task("A")), "bad_id"),
    (plan(task("-rf")), "bad_id"),
    (plan(task("..")), "bad_id"),
    (plan(task("a\u200b")), "bad_id"),
    (plan(task("a" * 300)), "bad_id"),
    (one(ports=[{"id": "a_b"}]), "bad_port_id"),
    (one(ports=[{"id": "a"}, {"id": "a"}]), "duplicate_port"),
    (one(ports=[{"id": f"p{n}"} for n in range(11)]), "too_many"),
    (one(planApproval="AUTO"), "bad_value"),
    (step(), "missing_field"),
    (step(command="x", url="http://127.0.0.1"), "conflict"),
    (one(verification=[{"type": "shell", "command": "x"}]), "unknown_step_type"),
    (step(command=" "), "missing_field"),
    (step(command="a\0b"), ""),
    (step(command="x" * 100_000), "too_long"),
    (step(command="${ports.unknown}"), "unknown_port"),
    (step(command="${PORTS.a}"), "unknown_port"),
    (step(command="x", timeout=0), "bad_timeout"),
    (step(command="x", timeout="5m"), "bad_timeout"),
    (one(max_retries=True), "bad_value"),
    (one(maxRetries=11), "bad_value"),
    (one(decision_id="nobody"), "unknown_decision"),
    (one(area=["../x"]), "bad_value"),
    (one(depend_on=["b"]), "unknown_field"),
    ({"tasks": "all"}, "bad_value"),
    ({}, "missing_field"),
]
"""A plan as a person edits it, and the type of its problem."""


@pytest.fixture
async def open_job(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    """A thread whose plan waits for its approval."""
    job = Job(engine, http, tmp_path)
    job.repository = make_repository(tmp_path / "bad", SCENARIO)
    body = {
        "repository": str(job.repository),
        "goal": "Do it",
        "agent": "scripted",
        "is_planned": True,
    }
    job.thread = (await job.post("/v1/threads", body))["thread_id"]
    await job.seen("plan_proposed")
    return job


async def said(job: Job, path: str, **body: Any) -> tuple[int, str, str]:
    """Return status, type and words of an answer that refuses."""
    answer = await job.http.post(f"/v1/threads/{job.thread}/{path}", json=body)
    told: dict[str, Any] = answer.json()
    kind = str(told.get("type", "")).removeprefix("treadle:")
    return answer.status_code, kind, str(told.get("detail", told.get("message", "")))


async def test_a_plan_that_is_edited_badly_is_refused_and_the_old_one_stays(
    open_job: Job,
) -> None:
    before = await open_job.view()
    for raw, problem in REFUSED:
        status, kind, words = await said(open_job, "plans/1/edits", plan=raw)
        assert (status, kind) == (422, "invalid_plan"), words
        assert problem in words
    after = await open_job.view()
    assert after["plans"] == before["plans"]
    assert after["requests"] == before["requests"]


async def refused(job: Job, table: Any) -> None:
    """Send each row of a table: where to, what, the status and the type that it must get."""
    for path, body, status, kind in table:
        assert (await said(job, path, **body))[:2] == (status, kind), (path, body)


def amending(*changes: dict[str, Any], base: int = 1) -> dict[str, Any]:
    return {"amendment": {"why": "better", "base_version": base, "changes": list(changes)}}


def remove(name: str) -> dict[str, Any]:
    return {"change": "remove", "task_id": name}


def modify(name: str, **fields: Any) -> dict[str, Any]:
    return {"change": "modify", "task_id": name, "task": fields}


def add(name: str, *needs: str, **more: Any) -> dict[str, Any]:
    return {"change": "add", "task": task(name, depends_on=list(needs), **more)}


AMENDMENTS = [
    (amending(modify("one", title="x")), 409, "task_running"),
    (amending(modify("one", depends_on=["three"])), 409, "task_running"),
    (amending(remove("one")), 409, "task_running"),
    (amending(remove("nobody")), 422, "unknown_task"),
    (amending(add("two")), 409, "duplicate_id"),
    (amending(add("new", "nobody")), 422, "unknown_dependency"),
    (amending(add("-rf")), 422, "invalid_amendment"),
    (amending(add("new", gate="AUTO")), 422, "invalid_amendment"),
    (
        amending(modify("two", depends_on=["three"]), modify("three", depends_on=["two"])),
        422,
        "cycle",
    ),
    (amending(remove("two"), base=9), 409, "stale"),
    (amending(), 422, "invalid_amendment"),
    ({"amendment": {}}, 422, "invalid_amendment"),
]
CHOICES = [
    ("nobody", "x", 404, "not_found"),
    *(("which", said, 422, "invalid") for said in ("z", "X", "x,y", ["x", "y"], "", [], "x,x")),
    *(("many", said, 422, "invalid") for said in ("x,,y", "x,x", "", [])),
]


async def test_bad_amendments_and_choices_are_refused_while_a_plan_runs(open_job: Job) -> None:
    job = open_job
    await job.approve(await job.seen("plan_proposed"))
    await job.seen("gate_opened", "one")
    before = await job.view()
    await refused(job, [("amendments", *row) for row in AMENDMENTS])
    await refused(
        job, [(f"decisions/{name}", {"selections": s}, *rest) for name, s, *rest in CHOICES]
    )
    after = await job.view()
    assert (after["tasks"], after["requests"]) == (before["tasks"], before["requests"])

    for name in ("two", "three"):
        assert (await said(job, "amendments", **amending(remove(name))))[0] == 201
    await job.seen("amendment_proposed", number=2)
    asked = {r["request"]["request_id"]: r["request"] for r in (await job.view())["requests"]}
    yes = [
        {"request_id": name, "content_hash": request["content_hash"], "choice": "approve"}
        for name, request in asked.items()
        if name.startswith("amendment")
    ]
    no = {**yes[0], "choice": "reject", "feedback": "no"}
    await refused(
        job,
        [
            ("approvals", yes[0], 200, ""),
            ("approvals", yes[0], 200, ""),
            ("approvals", no, 409, "already_decided"),
            ("approvals", yes[1], 409, "stale"),
        ],
    )


async def test_what_comes_at_the_wrong_time_is_refused_by_where_the_plan_stands(
    open_job: Job,
) -> None:
    job = open_job
    request = (await job.view())["requests"][0]["request"]
    verdict = {name: request[name] for name in ("request_id", "content_hash")}
    yes, no = {**verdict, "choice": "approve"}, {**verdict, "choice": "reject"}
    await refused(
        job,
        [
            ("approvals", {**yes, "content_hash": "0" * 64}, 409, "not_what_was_shown"),
            ("approvals", {**yes, "request_id": "plan-7"}, 404, "not_found"),
            ("approvals", no, 422, "invalid"),
            ("approvals", {**no, "feedback": "x" * 110_000}, 422, "too_long"),
            ("pause", {}, 409, "wrong_state"),
            ("amendments", amending(remove("one")), 409, "wrong_state"),
            ("plans/9/edits", {"handoff": "x"}, 404, "not_found"),
            ("plans/1/combinations", {"other": 1, "feedback": "x"}, 422, "invalid"),
            ("plans/planners", {"agent": "nobody"}, 422, "unknown_agent"),
            ("approvals", yes, 200, ""),
            ("plans", {"goal": "another"}, 409, "wrong_state"),
            ("tasks/one/retry", {}, 409, "wrong_state"),
            ("tasks/one/conflict", {"how": "keep_a"}, 409, "wrong_state"),
            ("resume", {}, 409, "wrong_state"),
            ("pause", {}, 200, ""),
            ("pause", {}, 200, ""),
            ("tasks/one/abort", {}, 200, ""),
            ("tasks/one/abort", {}, 200, ""),
            ("cancel", {}, 200, ""),
            ("cancel", {}, 200, ""),
            ("decisions/which", {"selections": "x"}, 409, "wrong_state"),
            ("tasks/one/retry", {}, 409, "wrong_state"),
            ("resume", {}, 409, "wrong_state"),
            ("amendments", amending(remove("two")), 409, "wrong_state"),
            ("approvals", no | {"feedback": "late"}, 409, "already_decided"),
        ],
    )
