"""One thread through the whole life of a plan, from a chat's first sentence to its export."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from domain.core.event import EventBody
from tests.e2e import whole_life
from tests.e2e.engine import DEADLINE_SECONDS, Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]


class Life(Job):
    """The thread of this test, with what a person asks and does in it."""

    async def chat(self) -> None:
        """Open the thread as a chat, as every thread begins."""
        body = {"repository": str(self.repository), "goal": whole_life.WISH, "is_planned": False}
        self.thread = (await self.post("/v1/threads", {**body, "agent": "scripted"}))["thread_id"]

    def at(self, path: str) -> str:
        """Return a path of the thread."""
        return f"/v1/threads/{self.thread}/{path}"

    async def read(self, path: str) -> Any:
        """Read something of the thread."""
        answer = await self.http.get(self.at(path))
        assert answer.is_success, answer.text
        return answer.json()

    async def verdict(self, asked: EventBody, choice: str, **more: Any) -> httpx.Response:
        """Approve or reject what an event asks."""
        request = asked.model_dump(mode="json")["request"]
        body = {key: request[key] for key in ("request_id", "content_hash")}
        return await self.http.post(self.at("approvals"), json={**body, "choice": choice, **more})

    async def yes(self, asked: EventBody) -> None:
        """Approve what an event asks."""
        answer = await self.verdict(asked, "approve")
        assert answer.is_success, answer.text

    async def no(self, asked: EventBody, feedback: str) -> None:
        """Send what an event asks back."""
        answer = await self.verdict(asked, "reject", feedback=feedback)
        assert answer.is_success, answer.text

    async def status_of(self, task: str, status: str) -> None:
        """Wait until a task has a status."""
        async with asyncio.timeout(DEADLINE_SECONDS):
            async for journaled in self.follow():
                body = journaled.event.body
                if body.kind == "task_updated" and (body.task_id, body.new_status) == (
                    task,
                    status,
                ):
                    return

    def kinds(self, under: str = "") -> list[str]:
        """Return the kinds of all events of a stream that were seen."""
        stream = f"{self.thread}/{under}".rstrip("/")
        return [e.event.body.kind for e in self.events if e.event.stream == stream]

    def prompts(self, head: str) -> list[str]:
        """Return what agents were really sent, of the prompts that begin so."""
        sent = [e.event.body for e in self.events if e.event.body.kind == "prompt_sent"]
        return [body.text for body in sent if body.text.startswith(f"# Treadle: {head}")]

    def prompt(self, head: str) -> str:
        """Return the only prompt that begins so."""
        (text,) = self.prompts(head)
        return text


@pytest.fixture
def life(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Life:
    """A repository with a map and a remote, an agent, and a rival that plans otherwise."""
    life = Life(engine, http, tmp_path)
    script = tmp_path / "rival.yaml"
    script.write_text(yaml.safe_dump(whole_life.rival()))
    profile = yaml.safe_load(Path("templates/agents/scripted.yaml").read_text())
    profile["set_environment"] |= {"TREADLE_SCENARIO": str(script)}
    rival = {**profile, "name": "rival"}
    (engine.config / "agents" / "rival.yaml").write_text(yaml.safe_dump(rival))
    folder = tmp_path / "lived"
    folder.mkdir()
    (folder / "TREADLE.md").write_text(whole_life.MAP)
    (folder / "notes.txt").write_text(whole_life.HEADING)
    life.repository = make_repository(folder, whole_life.scenario(life.stage))
    git(tmp_path, "init", "--quiet", "--bare", "remote.git")
    git(life.repository, "remote", "add", "origin", str(tmp_path / "remote.git"))
    return life


async def test_a_thread_lives_from_a_chat_to_its_export(life: Life, tmp_path: Path):
    life.stage.hold("right")
    await life.chat()
    await life.yes(await life.seen("planning_suggested"))

    handoff = await _planned(life)
    await _surveyed(life, handoff)
    await _left_to_its_gate(life)
    await _amended(life)
    await _conflict(life)
    await _ended(life)

    await life.post(life.at("publish"), {"remote": "origin"})
    pushed = (await life.seen("branch_published")).pushed
    assert git(tmp_path / "remote.git", "rev-parse", pushed.branch).strip() == pushed.commit
    await _exported(life, handoff)


async def _planned(life: Life) -> str:
    """Have two plans made, one sent back, compared, one edited and approved; returns the packet."""
    proposed = [await life.seen("plan_proposed", number=n) for n in (1, 2)]
    by_approach = {each.plan.approach: each for each in proposed}
    await life.no(by_approach["Fast"], "faster, please")
    faster = await life.seen("plan_proposed", number=3)
    assert "faster, please" in life.prompt("revise the plan")

    side = await life.read("plans/compare")
    assert {p["approach"] for p in side["plans"]} == {"Slow", "Faster"}

    mine = whole_life.plan("Faster, but with care")
    await life.post(life.at(f"plans/{faster.revision}/edits"), {"plan": mine})
    edited = await life.seen("plan_proposed", number=4)
    refused = await life.verdict(edited, "approve")
    assert refused.json()["type"] == "treadle:warnings_not_acknowledged"
    assert "ghost" in refused.text
    taken = await life.verdict(edited, "approve", is_acknowledged=True)
    assert taken.is_success, taken.text
    await life.seen("plan_started")
    assert life.kinds().count("plan_superseded") == 2
    assert (await life.seen("sessions_archived")).session_ids
    return edited.handoff


async def _surveyed(life: Life, handoff: str) -> None:
    """See the first task planned, reviewed by an agent and done by one that knows only the packet."""
    await life.status_of("survey", "completed")
    decided = await life.seen("task_plan_decided", "survey")
    assert (decided.outcome.decider, decided.outcome.choice) == ("agent", "approve")
    for prompt in (life.prompt("plan task survey"), life.prompt("task survey")):
        assert handoff in prompt
        assert whole_life.WISH not in prompt
        assert "- Conventions: docs/conventions.md" in prompt
    assert "1. Read the survey" in life.prompt("task survey")
    assert (await life.seen("learnings_added")).task_id == "survey"


async def _left_to_its_gate(life: Life) -> None:
    """Decide, send the plan of a task back once, and see a failed verification fixed."""
    await life.status_of("left", "needs_decision")
    asked = await life.seen("decision_asked")
    assert (asked.header, asked.question) == ("Style", whole_life.STYLE["question"])
    await life.post(life.at("decisions/style"), {"selections": "plain"})

    await life.no(await life.seen("task_plan_asked", "left"), "straighter")
    again = await life.seen("task_plan_asked", "left", number=2)
    assert "straighter" in life.prompt("revise the plan of task left")
    assert "Notes are in UTF-16." in life.prompt("plan task left")
    await life.yes(again)

    await life.seen("gate_opened", "left")
    task = life.prompt("task left")
    assert "- from task survey (was unexpected): Notes are in UTF-16." in task
    assert "Which style do the chapters have? plain (short sentences)" in task
    assert "Straighter" in task
    assert "left is right" in life.prompt("verification failed (attempt 1)")


async def _amended(life: Life) -> None:
    """Ask the thread how it goes, and approve the amendment that it proposes."""
    await life.post(life.at("messages"), {"text": "How far are we?"})
    proposed = await life.seen("amendment_proposed")
    told = life.prompt("message while the plan runs")
    parts = ("How far are we?", "- survey: completed", "- left: running", "UTF-16", "(version 1)")
    for part in (*parts, "- Conventions: docs/conventions.md"):
        assert part in told
    assert proposed.lines[1:3] == (
        "+ index: Write the index",
        "    depends on: book (Bind the book)",
    )
    await life.yes(proposed)
    amended = await life.seen("plan_amended")
    assert (amended.version, amended.why) == (2, "readers need an index")


async def _conflict(life: Life) -> None:
    """Accept the left, which the right conflicts with, and have the agent resolve it."""
    await life.yes(await life.seen("gate_opened", "left"))
    await life.status_of("left", "completed")
    life.stage.release("right")
    found = (await life.seen("conflict_found")).conflict
    assert (found.task_id, found.files) == ("right", ("notes.txt",))
    await life.post(life.at("tasks/right/conflict"), {"how": "agent"})
    await life.status_of("right", "completed")
    assert "notes.txt" in life.prompt("resolve the conflict of task right")


async def _ended(life: Life) -> None:
    """Send the book back once, accept it, and see the plan end with its summary."""
    await life.no(await life.seen("gate_opened", "book"), "a word more")
    await life.yes(await life.seen("gate_opened", "book", number=2))
    over = await life.seen("plan_completed")
    assert (over.final_status, over.failures) == ("completed", {})
    assert "5 of 5" in over.summary
    assert "a word more" in life.prompt("changes requested")
    for part in (
        "Bind left before right.",
        "Bind the book",
        "- `index` Write the index",
        "? plain",
    ):
        assert part in life.prompt("task book")

    view = await life.view()
    files = git(life.repository, "ls-tree", "--name-only", view["branch"]).split()
    assert {"left.txt", "right.txt", "book.txt", "index.txt"} <= set(files)
    assert git(life.repository, "show", f"{view['branch']}:notes.txt") == "# Notes of both\n"
    assert git(life.repository, "status", "--porcelain") == ""
    (right,) = (t for t in view["tasks"] if t["task_id"] == "right")
    runs = [*right["earlier_sessions"], *right["sessions"]]
    assert [s["session_id"].rpartition("/")[2] for s in runs] == ["session-1", "session-2"]


async def _exported(life: Life, handoff: str) -> None:
    """See that the export tells all of it."""
    text = (await life.http.get(life.at("export"))).text
    for part in (whole_life.WISH, whole_life.GOAL, "plain", "index", "UTF-16", "conflict", handoff):
        assert part in text
    whole = json.loads((await life.http.get(life.at("export?format=json"))).text)
    assert len(whole["events"]) >= len(life.events)
