"""Chats of one thread: in a common directory and apart, kept, exported, put away and removed."""

import json
from pathlib import Path

from domain.core.ids import ThreadId
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

SCENARIO = {
    "name": "chats",
    "rules": [
        {
            "when": {"prompt": "message", "text": "write"},
            "steps": [{"write": "first.txt", "text": "1\n"}, {"say": "I wrote it."}],
        },
        {
            "when": {"prompt": "message", "text": "list"},
            "steps": [{"run": "ls *.txt > seen.list; true"}],
        },
        {
            "when": {"prompt": "message", "text": "change"},
            "steps": [{"write": "first.txt", "text": "2\n"}],
        },
    ],
}


async def open_chat(job: Job, goal: str) -> None:
    body = {
        "repository": str(job.repository),
        "goal": goal,
        "agent": "scripted",
        "is_planned": False,
    }
    job.thread = ThreadId((await job.post("/v1/threads", body))["thread_id"])
    await job.seen("turn_ended", "session-1")


async def say(job: Job, number: int, text: str) -> None:
    session = f"{job.thread}/session-{number}"
    await job.post(f"/v1/threads/{job.thread}/messages", {"text": text, "session_id": session})
    await job.seen("turn_ended", f"session-{number}")


async def open_session(job: Job, *, has_own_worktree: bool) -> None:
    body = {"has_own_worktree": has_own_worktree, "model": "some-model"}
    await job.post(f"/v1/threads/{job.thread}/sessions", body)


async def test_chats_share_files_are_kept_and_leave_nothing(engine: Engine, job: Job):
    job.repository = make_repository(job.repository.parent / "chats", SCENARIO)
    before = git(job.repository, "for-each-ref")
    await open_chat(job, "write it")
    await open_session(job, has_own_worktree=False)
    await open_session(job, has_own_worktree=True)
    await say(job, 2, "list")
    await say(job, 3, "change it")
    view = await job.view()
    files = {s["session_id"].rpartition("/")[2]: s["files"] for s in view["sessions"]}

    assert files["session-1"] == ["first.txt"]
    assert files["session-2"] == ["seen.list"]
    assert view["overlaps"] == [{"file": "first.txt", "by": ["session-1", "session-3"]}]
    assert {s["model"] for s in view["sessions"][1:]} == {"some-model"}

    await job.post(f"/v1/threads/{job.thread}/sessions/2/merge")
    kept = await job.seen("session_merge_ended")
    await job.post(f"/v1/threads/{job.thread}/sessions/3/merge")
    refused = await job.seen("session_merge_ended", number=2)
    assert git(job.repository, "show", f"{view['branch']}:seen.list") == "first.txt\n"
    assert (kept.commit is None, refused.commit, refused.conflicts) == (False, None, ("first.txt",))

    path = f"/v1/threads/{job.thread}"
    await job.post(f"{path}/rename", {"topic": "Chats"})
    await job.post(f"{path}/archive")
    await job.seen("thread_archived")
    listed = (await job.http.get("/v1/threads?archived=true&q=chats%20write")).json()["threads"]
    exported = json.loads((await job.http.get(f"{path}/export?format=json")).text)
    assert [line["thread_id"] for line in listed] == [job.thread]
    assert len(exported["events"]) >= len(job.events)

    body = {"command_id": "delete"}
    stays = (await job.http.request("DELETE", path, json=body)).json()
    assert (stays["is_over"], view["branch"] in stays["message"]) == (True, True)
    assert (await job.http.get(path)).status_code == 404
    git(job.repository, "branch", "-D", view["branch"])
    assert git(job.repository, "for-each-ref") == before
    assert not list(worktrees(engine, job))


def worktrees(engine: Engine, job: Job) -> list[Path]:
    """Return what is left of the thread's worktrees and of its agents' homes."""
    data = engine.settings.data_dir
    return [*data.glob("worktrees/chats-*/*"), *data.glob(f"agents/*/{job.thread}*")]
