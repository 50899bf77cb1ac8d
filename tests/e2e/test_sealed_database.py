"""Temporal's database holds nothing in clear but ids, names, titles and search attributes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.e2e.job import GOAL, Job, git
from tests.e2e.test_signals import lines, paste

pytestmark = pytest.mark.e2e

MARK = "Canary7F"
"""Nothing that is part of an id: those keep small letters only."""


def database(job: Job) -> Iterator[bytes]:
    """Yield the content of the database's files, the write-ahead log's too."""
    for file in Path(job.engine.settings.data_dir).glob("temporal.db*"):
        yield file.read_bytes()


def is_stored(job: Job, words: str) -> bool:
    return any(words.encode() in content for content in database(job))


async def test_what_people_and_agents_say_is_in_no_history_in_clear(job: Job):
    file = job.repository / ".treadle" / "scenario.yaml"
    script = yaml.safe_load(file.read_text())
    plan = script["rules"][0]["steps"][0]["with"]["plan"]
    plan |= {"goal": f"{MARK}-plan-goal", "approach": f"{MARK}-approach"}
    plan["tasks"][0]["description"] = f"{MARK}-description"
    plan["tasks"][0]["verification"].append(
        {"type": "command", "command": f"echo {MARK}-output >&2; false", "required": False}
    )
    file.write_text(yaml.safe_dump(script, sort_keys=False))
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(job.repository, *author, "commit", "--quiet", "--all", "--message", "Mark")

    opened = {
        "repository": str(job.repository),
        "goal": f"{GOAL}\n\n{MARK}-goal",
        "agent": "scripted",
        "is_planned": True,
    }
    job.thread = (await job.post("/v1/threads", opened))["thread_id"]
    await job.seen("plan_proposed")
    unknown = {**opened, "template": f"{MARK}-template"}
    refused = await job.http.post("/v1/threads", json=unknown)
    words_of_refusal, _, _ = refused.json()["detail"].partition(f"{MARK}-template")
    assert len(words_of_refusal) > len("no template"), refused.text
    paste(job, (await lines(job))["approve"])
    await job.to_the_gate()
    rejection = (await lines(job, "left"))["reject"]
    request = {r["task_id"]: r["request"] for r in (await job.view())["requests"]}["left"]
    shown = {key: request[key] for key in ("request_id", "content_hash")}
    words = {**shown, "choice": "reject", "feedback": f"{MARK}-feedback"}
    await job.post(f"/v1/threads/{job.thread}/approvals", words)
    code = rejection.split('"code": "')[1][:12]
    await job.approve(await job.seen("gate_opened", "left", number=2))
    await job.seen("plan_completed")

    for what in ("plan-goal", "approach", "description", "output", "goal", "feedback"):
        assert not is_stored(job, f"{MARK}-{what}"), what
    assert not is_stored(job, code), "a code that nobody pasted"
    assert not is_stored(job, str(job.repository)), "where the repository is"
    assert not is_stored(job, words_of_refusal), "why a workflow failed"
    assert is_stored(job, f"{MARK}-template"), "names of templates are search attributes"
    assert is_stored(job, "Write left"), "titles are readable in the Web UI"
    assert is_stored(job, "task turn of session-1"), "and what each activity is about"
    assert is_stored(job, job.thread)


async def test_the_web_ui_s_current_details_are_readable_while_a_worker_lives(job: Job):
    await job.open()
    await job.seen("plan_proposed")
    address = f"127.0.0.1:{job.engine.settings.temporal_port}"
    told = job.engine.run(
        "temporal", "workflow", "metadata", "--workflow-id", job.thread, "--address", address
    )
    assert "Needs you" in told.stdout, told.stderr
    assert f"treadle approve {job.thread}" in told.stdout
