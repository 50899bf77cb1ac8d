"""Plan files of a thread: kept by its agents at the same time, and seen by nothing else of theirs."""

import asyncio
import stat

import pytest

from domain.core.ids import ThreadId
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = pytest.mark.e2e

PARTS = 6
FINDINGS = "# Findings\n" + "".join(
    f"\n## {who} {n}\n\nopen\n" for who in ("left", "right") for n in range(PARTS)
)


def filling(who: str) -> dict[str, object]:
    calls = [
        {
            "call": "update_plan",
            "with": {"which": "findings", "section": f"{who} {n}", "content": f"{who} found {n}"},
        }
        for n in range(PARTS)
    ]
    return {"when": {"prompt": "message", "text": f"fill {who}"}, "steps": calls}


def prying(engine: Engine) -> str:
    """Return a shell line that looks for the files in every way, and writes down what it finds."""
    data, found = engine.settings.data_dir, engine.outside / "found.txt"
    plan = f"{data}/users/*/plan"
    tries = (
        f"ls -R {data}/users",
        f"cat {plan}/task_plan.md",
        f"cat {str(data).upper()}/USERS/*/PLAN/*",
        f"cat $(pwd)/{'../' * 12}{str(data).lstrip('/')}/users/*/plan/*.md",
        f"ln {plan}/findings.md hard.md && cat hard.md",
        f"ln -s {data}/users soft && ls -R soft/",
        f"cat /proc/[0-9]*/root{plan}/*.md",
        f"echo mine > {plan}/findings.md",
        f"find {data} . -name 'task_plan*' -o -name 'findings*' -o -name 'progress*'",
        f"grep -rl 'Keep notes' {data}/users . --include=*.md",
        "rm -f soft hard.md",
    )
    return f"({'; '.join(tries)}) > {found} 2>/dev/null; true"


def scenario(engine: Engine) -> dict[str, object]:
    begin = [
        {"call": "init_plan", "with": {"task_title": "Keep notes"}},
        {"call": "write_plan", "with": {"which": "findings", "content": FINDINGS}},
        {"run": prying(engine)},
    ]
    end = [
        {
            "call": "write_plan",
            "with": {"which": "task_plan", "content": "# Done\n\n**Status:** complete\n"},
        },
        {"call": "init_plan", "with": {"task_title": "The next work"}},
        {"call": "export_plan", "with": {"destination": "docs/plan"}},
        {"call": "export_plan", "with": {"destination": "docs/plan"}},
    ]
    return {
        "name": "notes",
        "rules": [
            {"when": {"prompt": "message", "text": "begin"}, "steps": begin},
            filling("left"),
            filling("right"),
            {"when": {"prompt": "message", "text": "end"}, "steps": end},
        ],
    }


async def say(job: Job, number: int, text: str) -> None:
    session = f"{job.thread}/session-{number}"
    await job.post(f"/v1/threads/{job.thread}/messages", {"text": text, "session_id": session})


async def read(job: Job, path: str) -> str:
    answer = await job.http.get(f"/v1/threads/{job.thread}/plan-files/{path}")
    return answer.text if answer.is_success else answer.json()["type"]


async def test_agents_keep_plan_files_together_and_reach_them_by_their_tools_only(
    engine: Engine, job: Job
):
    job.repository = make_repository(job.repository.parent / "notes", scenario(engine))
    body = {
        "repository": str(job.repository),
        "goal": "begin it",
        "agent": "scripted",
        "is_planned": False,
        "plan_files": True,
    }
    job.thread = ThreadId((await job.post("/v1/threads", body))["thread_id"])
    await job.seen("turn_ended", "session-1")
    plan = engine.settings.data_dir / "users" / job.thread / "plan"

    assert (plan / "task_plan.md").read_text().startswith("# Task plan: Keep notes\n")
    assert stat.S_IMODE((plan / "task_plan.md").stat().st_mode) == 0o600
    assert (plan / "findings.md").read_text() == FINDINGS
    assert (engine.outside / "found.txt").read_text() == ""

    for _ in range(2):
        await job.post(f"/v1/threads/{job.thread}/sessions", {"has_own_worktree": True})
    await asyncio.gather(say(job, 2, "fill left"), say(job, 3, "fill right"))
    for number in (2, 3):
        await job.seen("turn_ended", f"session-{number}")

    findings = await read(job, "findings")
    assert "open" not in findings
    assert [f"{who} found {n}" in findings for who in ("left", "right") for n in range(PARTS)] == (
        [True] * PARTS * 2
    )
    assert findings == (plan / "findings.md").read_text()
    view = await job.view()
    assert not [name for session in view["sessions"] for name in session["files"]]

    await say(job, 2, "end it")
    await job.seen("turn_ended", "session-2", number=2)
    [archived] = (await job.http.get(f"/v1/threads/{job.thread}/plan-files")).json()["archived"]
    assert (await read(job, "task_plan")).startswith("# Task plan: The next work\n")
    assert await read(job, f"archive/{archived['name']}/findings") == findings
    assert await read(job, "../plan/task_plan") == "treadle:not_found"
    exported = await job.post(f"/v1/threads/{job.thread}/sessions/2/merge")
    kept = await job.seen("session_merge_ended")
    assert exported
    names = git(job.repository, "ls-tree", "-r", "--name-only", kept.commit).splitlines()
    assert [name for name in names if name.startswith("docs/")] == [
        f"docs/plan/{name}.md" for name in ("findings", "progress", "task_plan")
    ]

    body = {"command_id": "delete", "is_forced": True}
    await job.http.request("DELETE", f"/v1/threads/{job.thread}", json=body)
    assert not plan.parent.exists()
