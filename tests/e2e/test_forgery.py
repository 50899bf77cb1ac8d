"""Whoever reaches Temporal, the API or an agent's tools closes no gate, and makes no result.

Each route is tried on a real engine while a plan and then a task wait for a person: the gate must
still be open afterwards, its workflow alive, and the true approval must work.
"""

import asyncio
import getpass
import json
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

import httpx
import psutil
import pytest
import yaml
from temporalio.client import Client

from domain.core.approvals import ApprovalRequest
from domain.core.event import EventBody
from tests.e2e.engine import DEADLINE_SECONDS
from tests.e2e.job import Job, git
from tests.e2e.test_signals import changed, lines, paste

pytestmark = pytest.mark.e2e

EVIL = "http://evil.example"
CODE = "a" * 12


class Forger:
    """Somebody who reaches all ports of an engine and has no key; tries to approve one request."""

    def __init__(self, job: Job, task: str, opened: EventBody, used: dict[str, str]) -> None:
        self.job = job
        self.task = task
        self.stream = f"/{task}" if task else ""
        self.request = ApprovalRequest.model_validate(opened.model_dump(mode="json")["request"])
        self.used = used
        """The lines of a request that was decided before."""

    @property
    def workflow(self) -> str:
        return f"{self.job.thread}{self.stream}"

    def verdict(self, code: str = CODE) -> str:
        asked = {"request_id": self.request.request_id, "content_hash": self.request.content_hash}
        return json.dumps({**asked, "code": code, "by": "forger"})

    def temporal(self, *words: str) -> None:
        """Run Temporal's command line; whether it works does not matter, what comes of it does."""
        self.job.engine.run("temporal", *words, *self._address(), timeout=DEADLINE_SECONDS)

    def _address(self) -> tuple[str, ...]:
        return ("--address", f"127.0.0.1:{self.job.engine.settings.temporal_port}")

    async def http(self, verb: str, body: dict[str, Any]) -> None:
        """Post as a web page of another origin can: no header that a browser would ask about."""
        path = (
            f"/api/v1/namespaces/default/workflows/{quote(self.workflow, safe='')}/{verb}/approve"
        )
        headers = {"Content-Type": "text/plain", "Origin": EVIL}
        async with httpx.AsyncClient(trust_env=False, timeout=10) as client:
            for port in _ports_beside(self.job.engine.settings.temporal_port):
                try:
                    await client.post(
                        f"http://127.0.0.1:{port}{path}", content=json.dumps(body), headers=headers
                    )
                except httpx.HTTPError:
                    continue  # another door than the HTTP one


def _ports_beside(port: int) -> list[int]:
    """Return every port on which the process listens that listens on this one."""
    listening = [c for c in psutil.net_connections("tcp") if c.status == psutil.CONN_LISTEN]
    owner = next(c.pid for c in listening if c.laddr[1] == port)
    return [c.laddr[1] for c in listening if c.pid == owner]


async def signal_without_code(forger: Forger) -> None:
    words = json.loads(forger.verdict())
    del words["code"]
    where = ("--workflow-id", forger.workflow, "--name", "approve")
    forger.temporal("workflow", "signal", *where, "--input", json.dumps(words))


async def signal_with_a_made_up_code(forger: Forger) -> None:
    where = ("--workflow-id", forger.workflow, "--name", "approve")
    forger.temporal("workflow", "signal", *where, "--input", forger.verdict())


async def code_of_the_other_choice(forger: Forger) -> None:
    printed = await lines(forger.job, forger.task or None)
    paste(forger.job, printed["reject"].replace("--name reject", "--name approve"))


async def code_for_other_content(forger: Forger) -> None:
    printed = await lines(forger.job, forger.task or None)
    paste(forger.job, changed(printed["approve"], content_hash="0" * 64))


async def line_that_was_used_before(forger: Forger) -> None:
    for line in forger.used.values():
        paste(forger.job, line)
        own = changed(line, **json.loads(forger.verdict(code=json.loads(_payload(line))["code"])))
        paste(forger.job, own.replace(_target(line), forger.workflow))


def _payload(line: str) -> str:
    return line[line.index("{") : line.rindex("}") + 1]


def _target(line: str) -> str:
    return line.split("--workflow-id ")[1].split(" ", maxsplit=1)[0]


async def garbage_by_signal(forger: Forger) -> None:
    where = ("--workflow-id", forger.workflow, "--name", "approve")
    sealed = ("--input-meta", "encoding=binary/encrypted", "--input-meta", "encryption-key-id=1")
    for odd in (sealed, ("--input-meta", "encoding=json/protobuf"), ()):
        forger.temporal("workflow", "signal", *where, "--input", '"\\u0000"', *odd)
        forger.temporal("workflow", "signal", *where, "--input", "[1]", "--input", "{}", *odd)


async def update(forger: Forger) -> None:
    genuine = json.loads(_payload((await lines(forger.job, forger.task or None))["approve"]))
    for code in (CODE, genuine["code"]):  # not even the code opens a door for our own programs
        where = ("--workflow-id", forger.workflow, "--name", "approve")
        forger.temporal("workflow", "update", "execute", *where, "--input", forger.verdict(code))


async def web_page_that_posts_to_temporal(forger: Forger) -> None:
    verdict = json.loads(forger.verdict())
    await forger.http("signal", {"input": [verdict]})
    request = {"meta": {"updateId": "x"}, "input": {"name": "approve", "args": [verdict]}}
    await forger.http("update", {"request": request})


async def start_of_a_made_up_workflow(forger: Forger) -> None:
    thread = {"thread_id": "thread-evil", "goal": "x", "repository": "/", "agent": "scripted"}
    state = {**thread, "carried": {"thread_id": "thread-evil"}}
    for kind, given in (("Thread", thread), ("Thread", state), ("Task", {}), ("Session", thread)):
        where = ("--workflow-id", "thread-evil", "--type", kind, "--task-queue", "treadle")
        forger.temporal("workflow", "start", *where, "--input", json.dumps(given))
        again = (*where, "--id-conflict-policy", "TerminateExisting")
        forger.temporal("workflow", "start", *again, "--input", "1", "--input", "2")
    where = ("--workflow-id", forger.workflow, "--type", "Thread", "--task-queue", "treadle")
    signal = ("--signal-name", "approve", "--signal-input", forger.verdict())
    forger.temporal("workflow", "signal-with-start", *where, *signal, "--input", "{}")


async def activity_of_its_own(forger: Forger) -> None:
    event = {"id": "evil-1", "stream": forger.workflow, "at": "2026-01-01T00:00:00Z"}
    decided = {
        "kind": "plan_decided",
        "revision": 1,
        "outcome": {**json.loads(forger.verdict()), "choice": "approve"},
    }
    call = json.dumps({"events": [{**event, "body": decided}]})
    where = ("--activity-id", "evil", "--type", "append_events", "--task-queue", "treadle")
    forger.temporal(
        "activity", "execute", *where, "--start-to-close-timeout", "10s", "--input", call
    )


async def rest_without_the_token(forger: Forger) -> None:
    settings = forger.job.engine.settings
    path = f"/v1/threads/{forger.job.thread}/approvals"
    body = {**json.loads(forger.verdict()), "choice": "approve", "task_id": forger.task or None}
    for headers in ({}, {"Authorization": f"Bearer {CODE}"}, {"Cookie": f"treadle={CODE}"}):
        async with httpx.AsyncClient(
            trust_env=False, base_url=settings.api_url, timeout=60
        ) as client:
            answer = await client.post(path, json=body, headers={"X-Treadle": "1", **headers})
            assert answer.status_code in {401, 403}


ROUTES: tuple[Callable[[Forger], Awaitable[None]], ...] = (
    signal_without_code,
    signal_with_a_made_up_code,
    code_of_the_other_choice,
    code_for_other_content,
    line_that_was_used_before,
    garbage_by_signal,
    update,
    web_page_that_posts_to_temporal,
    start_of_a_made_up_workflow,
    activity_of_its_own,
    rest_without_the_token,
)


async def assert_open(forger: Forger, route: Callable[[Forger], Awaitable[None]]) -> None:
    """Try a route, and see that the same request still waits, in the view and in Temporal."""
    await route(forger)
    waiting = {r["request"]["request_id"] for r in (await forger.job.view())["requests"]}
    assert forger.request.request_id in waiting, route.__name__
    kinds = {j.event.body.kind for j in forger.job.events if j.event.stream == forger.workflow}
    assert kinds.isdisjoint({"plan_decided"} if not forger.task else {"gate_decided"})


async def test_no_route_closes_a_gate(job: Job):
    await job.open()
    plan = Forger(job, "", await job.seen("plan_proposed"), {})
    used = await lines(job)
    for route in ROUTES:
        await assert_open(plan, route)
    paste(job, used["approve"])
    await job.seen("plan_started")
    gate = Forger(job, "left", await job.to_the_gate(), used)
    true_line = (await lines(job, "left"))["approve"]
    for route in ROUTES:
        await assert_open(gate, route)
    paste(job, true_line)
    decided = await job.seen("gate_decided", "left")
    assert decided.outcome.by == getpass.getuser()
    await job.seen("plan_completed")


async def test_a_gate_that_is_reset_asks_again_and_takes_the_true_line_only(job: Job):
    await job.begin()
    gate = Forger(job, "left", await job.to_the_gate(), {})
    where = ("--workflow-id", gate.workflow, "--type", "LastWorkflowTask")
    gate.temporal("workflow", "reset", *where, "--reason", "forged")
    for route in (signal_without_code, code_of_the_other_choice, update):
        await assert_open(gate, route)
    await job.finish()


async def pending(job: Job, kind: str) -> str:
    """Wait until an activity of a task is under way, and return its id, as anybody can."""
    client = await Client.connect(f"127.0.0.1:{job.engine.settings.temporal_port}")
    handle = client.get_workflow_handle(f"{job.thread}/left")
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            described = (await handle.describe()).raw_description
            for each in described.pending_activities:
                if each.activity_type.name == kind:
                    return each.activity_id
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("place", "kind", "made_up"),
    [
        (
            "left.verifying",
            "run_verification_step",
            {"result": {"step_id": "verify-1", "label": "left is right", "passed": True}},
        ),
        ("left.task.working", "run_agent_turn", {"turn_id": "x", "stop_reason": "end_turn"}),
    ],
)
async def test_a_made_up_result_is_refused_and_the_work_is_done(
    job: Job, place: str, kind: str, made_up: dict[str, Any]
):
    job.stage.hold(place)
    await job.begin()
    await job.stage.reached(place)
    address = ("--address", f"127.0.0.1:{job.engine.settings.temporal_port}")
    task = ("--workflow-id", f"{job.thread}/left")
    report = json.dumps({"session_id": f"{job.thread}/left/session-1", "summary": "done"})
    said = ("--name", "report_done", "--input", report)
    job.engine.run("temporal", "workflow", "signal", *task, *said, *address)
    refused = await job.seen("command_rejected", "left")
    assert (refused.command, refused.type) == ("report_done", "code_refused")
    made_up_result = ("--activity-id", await pending(job, kind), "--result", json.dumps(made_up))
    told = job.engine.run("temporal", "activity", "complete", *task, *made_up_result, *address)
    assert told.returncode == 0, told.stderr
    warned = await job.seen("resource_warned", "left")
    assert "no worker of Treadle" in warned.message
    job.stage.release(place)
    await job.finish()
    assert (await job.seen("verification_step_ended", "left")).result.passed
    assert git(job.repository, "show", f"treadle/{job.thread[7:]}:left.txt") == "left\n"


async def test_an_agent_reads_neither_token_nor_keys(job: Job):
    settings = job.engine.settings
    secrets = (settings.token_file, settings.code_key_file, settings.payload_key_file)
    loot = job.stage.folder / "loot"
    steal = "; ".join(f"cat {file} >> {loot} 2>&1" for file in secrets)
    file = job.repository / ".treadle" / "scenario.yaml"
    script = yaml.safe_load(file.read_text())
    script["rules"][0]["steps"].insert(0, {"run": f"{steal}; env >> {loot}"})
    file.write_text(yaml.safe_dump(script, sort_keys=False))
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(job.repository, *author, "commit", "--quiet", "--all", "--message", "Steal")
    await job.open()
    await job.seen("plan_proposed")
    found = loot.read_text()
    assert "PATH=" in found
    for secret in secrets:
        for line in secret.read_text().split():
            assert line not in found, secret.name
