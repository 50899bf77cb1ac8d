"""Going on from a moment of the past: forks, retries from a checkpoint, reviews line by line; the demo."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.core.ids import ThreadId
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = pytest.mark.e2e

DONE = {"call": "report_done", "with": {"summary": "done"}}
CHATS = {
    "rules": [
        {
            "when": {"prompt": "forked"},
            "steps": [{"run": "cat first.txt > seen.txt"}, {"say": "I went on."}],
        },
        {
            "when": {"prompt": "message", "text": "write"},
            "steps": [{"write": "first.txt", "text": "1\n"}, {"say": "I wrote one."}],
        },
        {
            "when": {"prompt": "message", "text": "change"},
            "steps": [{"write": "first.txt", "text": "2\n"}],
        },
    ]
}
CHECK = {"type": "command", "label": "there", "command": "test -f note.txt"}
NOTE = {"goal": "A note", "tasks": [{"id": "note", "title": "Note", "verification": [CHECK]}]}
NOTES = {
    "rules": [
        {
            "when": {"prompt": "planner"},
            "steps": [{"call": "propose_plan", "with": {"plan": NOTE}}],
        },
        {
            "when": {"prompt": "task", "text": "begins with the files of an earlier one"},
            "steps": [{"run": "cat note.txt > seen.txt"}, DONE],
        },
        {"when": {"prompt": "task"}, "steps": [{"write": "note.txt", "text": "one\n"}, DONE]},
        {
            "when": {"prompt": "gate-rejected", "text": r"note\.txt:1 \(new\): and two\?"},
            "steps": [{"write": "note.txt", "text": "one\ntwo\n"}, DONE],
        },
    ]
}


async def checkpoints(job: Job) -> list[dict[str, Any]]:
    answer = await job.http.get(f"/v1/threads/{job.thread}/checkpoints")
    return answer.json()


def told(engine: Engine, *command: str) -> dict[str, Any]:
    done = engine.run("treadle", *command, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


async def test_a_fork_goes_on_with_the_files_of_its_moment_and_leaves_the_old_thread(
    engine: Engine, job: Job, tmp_path: Path
):
    job.repository = make_repository(tmp_path / "chats", CHATS)
    body = {"repository": str(job.repository), "goal": "write it", "agent": "scripted"}
    opened = await job.post("/v1/threads", {**body, "is_planned": False})
    job.thread = old = ThreadId(opened["thread_id"])
    await job.seen("turn_ended", "session-1")
    await job.post(f"/v1/threads/{old}/messages", {"text": "change it"})
    await job.seen("turn_ended", "session-1", number=2)
    known = await checkpoints(job)
    assert [each["label"].partition(":")[0] for each in known] == ["opened", "turn 1", "turn 2"]

    wanted = {"position": known[1]["position"], "goal": "go on", "command_id": "fork-1"}
    forks = [await job.post(f"/v1/threads/{old}/forks", wanted) for _ in range(2)]
    assert forks[0] == forks[1]
    start = {"position": known[0]["position"], "stream": f"{old}/session-1"}
    early = await job.http.post(f"/v1/threads/{old}/forks", json=start)
    assert (early.status_code, early.json()["type"]) == (404, "treadle:no_checkpoint")

    job.thread, job.events = ThreadId(forks[0]["thread_id"]), []
    ended = await job.seen("turn_ended", "session-1")
    view = await job.view()
    assert view["forked_from"] == {
        "thread_id": old,
        "position": known[1]["position"],
        "commit": known[1]["commit"],
    }
    snapshot = ended.model_dump()["result"]["snapshot"]
    assert git(job.repository, "show", f"{snapshot['commit']}:seen.txt") == "1\n"
    assert git(job.repository, "rev-parse", view["branch"]).strip() == known[1]["commit"]
    sent = (await job.seen("prompt_sent", "session-1")).model_dump()["text"]
    assert "agent: I wrote one." in sent
    assert "change it" not in sent

    job.thread = old
    assert await checkpoints(job) == known
    assert [s["turns"] for s in (await job.view())["sessions"]] == [2]


async def test_a_task_sent_back_by_its_lines_goes_on_from_a_checkpoint(
    engine: Engine, job: Job, tmp_path: Path
):
    job.repository = make_repository(tmp_path / "notes", NOTES)
    await job.begin()
    await job.seen("gate_opened", "note")
    path = f"/v1/threads/{job.thread}/tasks/note"
    unseen = await job.http.get(f"{path}/diff?since=review")
    assert (unseen.status_code, unseen.json()["type"]) == (404, "treadle:not_found")

    told(engine, "reject", job.thread, "note", "--comment", "note.txt:1:and two?")
    await job.seen("gate_opened", "note", number=2)
    view = (await job.http.get(path)).json()
    comment = {"path": "note.txt", "line": 1, "side": "new", "text": "and two?"}
    assert (view["feedback"], view["comments"]) == ("", [comment])
    since = told(engine, "diff", job.thread, "note", "--since-review")["diff"]
    assert ("\n+two" in since, "\n+one" in since) == (True, False)

    await job.post(f"{path}/abort")
    await job.seen("task_settled")
    early = await job.http.post(f"{path}/retry", json={"position": 1})
    assert (early.status_code, early.json()["type"]) == (404, "treadle:no_checkpoint")
    first = next(each for each in await checkpoints(job) if each["task_id"] == "note")
    told(engine, "retry", job.thread, "note", "--at", str(first["position"]))
    await job.approve(await job.seen("gate_opened", "note", number=3))
    await job.seen("plan_completed")

    branch = (await job.view())["branch"]
    assert git(job.repository, "show", f"{branch}:seen.txt") == "one\n"
    assert git(job.repository, "show", f"{branch}:note.txt") == "one\n"
    assert (await job.http.get(path)).json()["begins_with"]["commit"] == first["commit"]


async def test_the_demo_opens_on_any_engine_and_more_than_once(
    engine: Engine, job: Job, http: httpx.AsyncClient
):
    opened = [await job.post("/v1/demo", {"command_id": "demo-1"}) for _ in range(2)]
    assert opened[0] == opened[1]
    another = told(engine, "demo", "--here")["thread_id"]
    assert another != opened[0]["thread_id"]

    repositories: set[str] = set()
    for thread in (opened[0]["thread_id"], another):
        job.thread, job.events = ThreadId(thread), []
        proposed = await job.seen("plan_proposed")
        tasks = proposed.model_dump()["plan"]["tasks"]
        assert [task["id"] for task in tasks] == ["totals", "pace", "report"]
        repositories.add((await job.view())["repository"])
        await job.post(f"/v1/threads/{thread}/cancel")
    assert len(repositories) == 2
