"""Every decision by `temporal workflow signal` alone: the printed line decides, no other does."""

import getpass
import json
import shlex

import pytest

from adapters.files.key_ring import KeyRing
from tests.e2e.job import Job

pytestmark = pytest.mark.e2e


async def lines(job: Job, task: str | None = None) -> dict[str, str]:
    """Return the ready lines of what waits: the plan, or a task at its gate."""
    requests = (await job.view())["requests"]
    return next(r["signal_lines"] for r in requests if r["task_id"] == task)


def paste(job: Job, line: str) -> None:
    """Run a line as it stands."""
    done = job.engine.run(*shlex.split(line))
    assert done.returncode == 0, done.stderr


def temporal(job: Job, stream: str, name: str, *verb: str) -> tuple[str, ...]:
    """Return the command that sends a message to a workflow of the job."""
    address = f"127.0.0.1:{job.engine.settings.temporal_port}"
    where = ("--address", address, "--workflow-id", f"{job.thread}{stream}", "--name", name)
    return ("temporal", "workflow", *verb, *where)


def signal(job: Job, stream: str, name: str, *more: str) -> None:
    """Send a signal that nobody has printed."""
    paste(job, shlex.join((*temporal(job, stream, name, "signal"), *more)))


def changed(line: str, **fields: str) -> str:
    """Return a line with another payload."""
    words = shlex.split(line)
    words[-1] = json.dumps({**json.loads(words[-1]), **fields})
    return shlex.join(words)


async def test_a_whole_job_is_decided_by_the_lines_that_show_prints(job: Job):
    await job.open()
    await job.seen("plan_proposed")
    shown = job.engine.run("treadle", "show", job.thread, "--signals").stdout.splitlines()
    approval, rejection = [line for line in shown if line.startswith("temporal workflow signal")]
    paste(job, rejection.replace("FEEDBACK", "smaller, please"))
    await job.seen("plan_proposed", number=2)
    assert (await job.seen("plan_decided")).outcome.feedback == "smaller, please"

    paste(job, approval)  # of what was rejected
    refused = await job.seen("command_rejected")
    assert (refused.command, refused.type) == ("approve", "already_decided")

    paste(job, (await lines(job))["approve"])
    await job.to_the_gate()
    paste(job, (await lines(job, "left"))["reject"].replace("FEEDBACK", "as I wish"))
    await job.seen("gate_opened", "left", number=2)
    paste(job, (await lines(job, "left"))["approve"])
    decided = await job.seen("gate_decided", "left", number=2)
    assert (decided.outcome.choice, decided.outcome.by) == ("approve", getpass.getuser())
    await job.seen("plan_completed")


async def test_a_line_that_was_tampered_with_changes_nothing_and_leaves_a_trace(job: Job):
    await job.begin()
    await job.seen("gate_opened", "left")
    printed = await lines(job, "left")
    tampered = [
        (changed(printed["approve"], code="aaaaaaaaaaaa"), "code_refused"),
        (printed["reject"].replace("--name reject", "--name approve"), "code_refused"),
        (changed(printed["approve"], content_hash="0" * 64), "code_refused"),
        (changed(printed["approve"], request_id="gate-9"), "code_refused"),
    ]
    for number, (line, reason) in enumerate(tampered, start=1):
        paste(job, line)
        refused = await job.seen("command_rejected", "left", number=number)
        assert (refused.command, refused.type) == ("approve", reason)
    assert await lines(job, "left") == printed, "it still waits for the same"
    paste(job, printed["approve"])
    await job.seen("gate_decided", "left")
    await job.seen("plan_completed")


async def test_a_line_that_is_pasted_twice_decides_once(job: Job):
    await job.open()
    await job.seen("plan_proposed")
    approval = (await lines(job))["approve"]
    paste(job, approval)
    await job.seen("plan_started")
    paste(job, approval)
    await job.finish()
    kinds = [j.event.body.kind for j in job.events]
    assert kinds.count("plan_decided") == kinds.count("plan_started") == 1


async def test_rotated_keys_leave_what_was_decided_and_ask_for_new_lines(job: Job):
    engine = job.engine
    await job.begin()
    await job.to_the_gate()
    old = await lines(job, "left")
    engine.kill("worker", "api")
    engine.settings.code_key_file.unlink()
    with engine.settings.payload_key_file.open("a") as keys:
        keys.write(f"{KeyRing.line()}\n")
    await engine.repair()  # and replays what was decided, and sealed, with the old keys

    paste(job, old["approve"])
    refused = await job.seen("command_rejected", "left")
    assert (refused.command, refused.type) == ("approve", "code_refused")
    new = await lines(job, "left")
    assert new != old
    paste(job, new["approve"])
    await job.seen("plan_completed")


@pytest.mark.parametrize(
    ("stream", "payload"),
    [("/left", ()), ("", ("--input", '{"task_id": "left"}'))],
    ids=["task", "thread"],
)
async def test_a_bare_signal_aborts(job: Job, stream: str, payload: tuple[str, ...]):
    await job.begin()
    await job.to_the_gate()
    signal(job, stream, "abort", *payload)
    ended = await job.seen("task_ended", "left")
    assert ended.end == "cancelled"
    await job.seen("task_settled", number=2)
    states = {task["task_id"]: task["status"] for task in (await job.view())["tasks"]}
    assert states == {"left": "cancelled", "right": "completed", "both": "blocked"}


@pytest.mark.parametrize(
    "inputs",
    [
        (),
        ("--input", "{}", "--input", "{}"),
        ("--input", "no json", "--input-meta", "encoding=unknown"),
        ("--input", '{"request_id": {"deep": [1]}}'),
    ],
    ids=["none", "two", "undecodable", "odd"],
)
async def test_messages_of_any_form_harm_nothing(job: Job, inputs: tuple[str, ...]):
    await job.open()
    await job.seen("plan_proposed")
    session = "/session-1"
    for stream, name in (("", "approve"), ("", "end_session_turn"), (session, "queue_prompt")):
        signal(job, stream, name, *inputs)
    for name in ("approve", "open"):
        job.engine.run(*temporal(job, "", name, "update", "execute"), *inputs)
    await job.approve(await job.seen("plan_proposed"))
    await job.seen("plan_started")
    await job.post(f"/v1/threads/{job.thread}/cancel")
