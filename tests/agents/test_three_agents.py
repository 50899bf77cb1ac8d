"""Three vendors' agents do one task of a real repository at once; the worker is killed, a person takes one."""

import asyncio
import json
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.core.ids import ThreadId
from tests.agents.contenders import CONTENDERS
from tests.agents.engines import open_engine
from tests.agents.installation import CACHE
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git
from tests.model_stub import ModelStub, load, serving

pytestmark = [pytest.mark.agents, pytest.mark.timeout(1500)]  # the first run installs the agents

HERE = Path(__file__).parent
PATIENCE_SECONDS = 240
FILE = "domain/core/text.py"
SAID = load(HERE / "three_agents.yaml")
WORKS: dict[str, str] = SAID["works"]
"""What each agent writes; what Claude does is wrong at first."""
MENDED: str = SAID["mended"]


@dataclass
class Three:
    """The thread, its engine, and what the model of each agent was asked."""

    engine: Engine
    job: Job
    model: ModelStub

    def played(self, agent: str) -> list[tuple[str, int]]:
        """Return which steps of its script an agent's model has played."""
        return [(entry["rule"], entry["step"]) for entry in self.model.log(agent)]

    def after(self, agent: str, rule: str, step: int) -> str:
        """Return what an agent answered to its model's call in a step."""
        log = self.model.log(agent)
        found = (e for e in log if (e["rule"], e["step"]) == (rule, step + 1))
        return next(found)["last_result"]

    async def reached(self, rule: str, step: int) -> None:
        """Wait until the models of all have played a step."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not all((rule, step) in self.played(agent) for agent in WORKS):  # noqa: ASYNC110
                await asyncio.sleep(0.05)

    def write_log(self) -> None:
        """Keep what the models were asked, and what Treadle recorded, for whoever wants to know why."""
        events = [event.model_dump(mode="json") for event in self.job.events]
        steps = {agent: self.model.log(agent) for agent in WORKS}
        told = json.dumps({"steps": steps, "events": events}, indent=1)
        (CACHE / "three-agents.json").write_text(told)

    def told(self, kind: str, under: str) -> list[Any]:
        """Return the events of a kind that were seen in one of the thread's streams."""
        stream = f"{self.job.thread}/{under}"
        return [
            e.event.body
            for e in self.job.events
            if e.event.stream == stream and e.event.body.kind == kind
        ]


class ThreeJob(Job):
    """A thread on a clone of this repository."""

    patience_seconds = PATIENCE_SECONDS

    def __init__(self, engine: Engine, http: httpx.AsyncClient, folder: Path) -> None:
        self.engine = engine
        self.http = http
        self.repository = folder / "repository"
        self.events = []
        self.thread = ThreadId("")
        git(folder, "clone", "--quiet", str(HERE.parents[1]), str(self.repository))
        git(self.repository, "checkout", "--quiet", "-B", "main")

    async def open(self) -> None:
        """Open the thread, whose task all three do."""
        body = {
            "repository": str(self.repository),
            "goal": "Say which in a row",
            "agent": "codex",
            "is_planned": True,
            "best_of": {"agents": list(WORKS)},
            "max_parallel_tasks": 3,
            "planner": {"own_turns": 0},
        }
        self.thread = (await self.post("/v1/threads", body))["thread_id"]


@pytest.fixture
async def three(folder: Path) -> AsyncIterator[Three]:
    model, python = ModelStub(), shlex.quote(sys.executable)
    variables = {"python": python, "check": f'{python} -c "{SAID["check"]}"', "mended": MENDED}
    with ExitStack() as stack:
        url = stack.enter_context(serving(model))
        pointed = [(c, c.point(f"{url}/s/{c.name}")) for c in CONTENDERS if c.name in WORKS]
        for agent, mine in WORKS.items():
            model.add(agent, SAID["script"], {**variables, "mine": mine})
        async with open_engine(folder, pointed) as engine, engine.http() as http:
            three = Three(engine, ThreeJob(engine, http, folder), model)
            try:
                yield three
            finally:
                three.write_log()


async def test_one_of_three_is_taken_though_the_worker_is_killed_while_all_work(three: Three):
    engine, job = three.engine, three.job
    await job.begin()
    await three.reached("work", 3)
    engine.kill("worker")
    await engine.emptied()
    await engine.repair()
    await job.seen("candidates_shown")
    shown = engine.run("treadle", "show", job.thread)
    table = (await job.view())["contests"][0]["candidates"]
    taken = engine.run("treadle", "take", job.thread, "B")
    assert taken.returncode == 0, taken.stderr
    end = await job.seen("plan_completed")
    await engine.emptied()

    assert end.model_dump()["final_status"] == "completed"
    assert all(agent in shown.stdout for agent in WORKS), shown.stdout
    assert [row["agent"] for row in table] == list(WORKS)
    assert {row["standing"] for row in table} == {"ready"}
    assert [row["attempts"] for row in table] == [1, 2, 1], "the check found what was wrong"
    assert all(row["stats"]["prompt_tokens"] for row in table), "each has told its tokens"
    await assert_one_is_merged(three)
    for letter, agent in zip("abc", WORKS, strict=True):
        assert_went_on_where_it_was(three, agent, f"ordinal.{letter}/session-1")


async def assert_one_is_merged(three: Three) -> None:
    """Claude's work is on the branch and nothing else; what the others made can be read."""
    job, view = three.job, await three.job.view()
    changed = git(job.repository, "diff", "--name-only", "main", view["branch"])
    assert changed.split() == [FILE]
    assert MENDED in git(job.repository, "show", f"{view['branch']}:{FILE}")
    assert git(job.repository, "status", "--porcelain") == ""
    left = [
        Path(line).name
        for line in git(job.repository, "worktree", "list", "--porcelain").splitlines()
    ]
    assert [name for name in left if name.startswith("run-")] == [], "a worktree is left"
    rows = view["contests"][0]["candidates"]
    assert [row["standing"] for row in rows] == ["stopped", "merged", "stopped"]
    for row, mine in zip(rows, WORKS.values(), strict=True):
        shown = await job.http.get(f"/v1/threads/{job.thread}/tasks/{row['candidate']}/diff")
        lines = MENDED if row["standing"] == "merged" else mine
        assert all(f"+{line}" in shown.text for line in lines.strip().split("\n")), shown.text


def assert_went_on_where_it_was(three: Three, agent: str, session: str) -> None:
    """An agent's own session was opened again after the kill, and no step of it ran twice."""
    opened = three.told("agent_session_opened", session)
    assert opened[1].is_resumed, f"{agent}: {three.told('agent_notice', session)}"
    assert {each.agent_session for each in opened} == {opened[0].agent_session}
    prompts = [body.text.splitlines()[0] for body in three.told("prompt_sent", session)]
    task = session.partition("/")[0]
    assert prompts[:2] == [f"# Treadle: task {task}", "# Treadle: interrupted"]
    assert three.played(agent).count(("work", 2)) == 1, "a finished step ran again"
    assert FILE in three.after(agent, "interrupted", 0), "its work was kept"
    assert three.told("question_asked", session) == []
    assert [e["problem"] for e in three.model.log(agent) if e["problem"]] == []
