"""A plan of 1,000 tasks from its proposal to an amendment, as agents and people see it."""

from pathlib import Path

import httpx
import pytest

from tests.e2e.engine import DEADLINE_SECONDS, Engine
from tests.e2e.job import Job
from tests.e2e.test_changing_plans import begin, planning, task, working

pytestmark = pytest.mark.e2e

SIZE, ADDED, REMOVED, MODIFIED = 1_000, 30, 40, 20
WORDS = "Build it, with all that its tests need. " * 4
PARTS = [
    task(
        f"part-{n:04}", depends_on=["first"] if n < 10 else [f"part-{n - 10:04}"], description=WORDS
    )
    for n in range(SIZE - 1)
]
LAST = [f"part-{n:04}" for n in range(SIZE - 1 - REMOVED, SIZE - 1)]
AMENDMENT = {
    "why": "the last parts are not needed",
    "base_version": 1,
    "changes": [
        *({"change": "add", "task": task(f"new-{n}", depends_on=["first"])} for n in range(ADDED)),
        *({"change": "remove", "task_id": name} for name in LAST),
        *(
            {"change": "modify", "task_id": f"part-{n:04}", "task": {"title": f"Other {n}"}}
            for n in range(MODIFIED)
        ),
    ],
}
STATUS = {
    "when": {"role": "planner", "prompt": "amendment-planner"},
    "steps": [
        {"call": "task_status", "with": {"status": "pending", "after": "part-0100"}},
        {"call": "propose_amendment", "with": AMENDMENT},
    ],
}
SCRIPT = {
    "name": "a thousand",
    "rules": [
        planning("Write a thousand files", task("first", gate="ask", description=WORDS), *PARTS),
        STATUS,
        working("first"),
    ],
}


@pytest.fixture
def job(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    return Job(engine, http, tmp_path)


def said(engine: Engine, *command: str, code: int = 0) -> str:
    """Run a command line and return what it says."""
    done = engine.run("treadle", *command, timeout=DEADLINE_SECONDS)
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


async def test_a_plan_of_1000_tasks_is_amended_by_a_planner_that_looks_at_pages(
    engine: Engine, job: Job
) -> None:
    await begin(job, SCRIPT, "Write a thousand files")
    await job.seen("gate_opened", "first")
    status = said(engine, "plan", "status", job.thread)
    assert "999 pending, 1 running" in status
    assert len(status.splitlines()) < 120

    said(engine, "amend", job.thread, "--text", "drop the last parts")
    proposed = await job.seen("amendment_proposed", number=1)
    shown = said(engine, "show", job.thread)
    assert f"- {LAST[0]}: removed" in shown
    assert "more tasks: treadle show" in shown
    await job.approve(proposed)
    amended = (await job.seen("plan_amended")).model_dump()
    assert amended["amended"].startswith(f"{SIZE + ADDED - REMOVED:,} tasks, of which these come")

    assert job.thread in said(engine, "search", "part-0777")
    view = await job.view()
    names = {each["task_id"] for each in view["tasks"]}
    assert len(names) == SIZE + ADDED - REMOVED
    assert not names & set(LAST)
    assert "898 pending tasks after part-0100" in said(engine, "logs", job.thread, "--json")
    assert "closest: part-0917" in said(engine, "show", job.thread, "prt-0917", code=1)
    said(engine, "cancel", job.thread)
