"""Agents that circle, flood, fall silent, refuse, end or have no tools: the inbox tells of each in time."""

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest
import yaml
from httpx_sse import aconnect_sse

from domain.conversations.events import TurnConcern, TurnEnded
from domain.core.event import Event, JournaledEvent
from domain.core.ids import ThreadId
from domain.tasks.status import TaskStatus
from domain.threads.events import TaskUpdated
from tests.e2e.engine import Engine
from tests.e2e.job import Job, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

PLANTED = Path(__file__).with_name("planted_agent.py")
PATIENCE_SECONDS = 60
FLOODS = {
    "circle": "repeats",
    "grow": "alike",
    "calls": "calls",
    "plans": "plans",
    "words": "echoes",
    "noise": "noise",
}
FLOODS_SAY = {
    "circle": "it goes round in circles: the same 10 times in a row",
    "grow": "it makes nearly the same call again and again: 30 times",
    "calls": "it made 300 tool calls in this turn",
    "plans": "it updated its plan 300 times in this turn",
    "words": "it says the same 300 times in a row",
    "noise": "lines that are no part of its protocol",
}
WAYS = [
    *FLOODS,
    "silent",
    "mute",
    "toolless",
    "leaving",
    "dying",
    "broken",
    "unwilling",
    "idle",
    "refused",
]
QUIET = {"quiet_shown": 2, "quiet_concern": 4, "quiet_at_work": 4}
"""What the default has as a time is shorter here; what it counts is as it is."""


def task(way: str) -> dict[str, Any]:
    step = {"type": "file_exists", "label": "written", "path": "a.txt"}
    return {"id": way, "title": way, "agent": way, "gate": "auto", "verification": [step]}


def scenario() -> dict[str, Any]:
    plan = {"goal": "Nothing", "summary": "In all ways.", "tasks": [task(way) for way in WAYS]}
    propose = {"call": "propose_plan", "with": {"plan": plan}}
    return {"name": "planted", "rules": [{"when": {"prompt": "planner"}, "steps": [propose]}]}


class Watch(Job):
    """A thread with a task for each planted agent."""

    patience_seconds = PATIENCE_SECONDS

    async def told(self, stream: str, is_it: Callable[[Event], bool]) -> Event:
        """Wait for the first event of a stream that is it."""
        async with asyncio.timeout(PATIENCE_SECONDS), aclosing(self.follow()) as events:
            async for journaled in events:
                if journaled.event.stream == f"{self.thread}/{stream}".rstrip("/") and is_it(
                    journaled.event
                ):
                    return journaled.event
        raise AssertionError("a stream of events has no end")

    async def failed(self, way: str) -> None:
        """Wait until a task has failed for the thread."""
        await self.told(
            "",
            lambda e: (
                isinstance(e.body, TaskUpdated)
                and (e.body.task_id, e.body.new_status) == (way, TaskStatus.FAILED)
            ),
        )

    async def inbox(self, way: str | None, kind: str) -> list[str]:
        """Return what the inbox says of a task, by kind."""
        items = (await self.http.get("/v1/inbox")).json()["items"]
        here = [i for i in items if i["thread_id"] == self.thread and i["kind"] == kind]
        return [i["reason"] for i in here if i["task_id"] == way]


@pytest.fixture(scope="module")
async def crowd(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Engine]:
    engine = Engine(
        tmp_path_factory.mktemp("crowd"),
        circling=QUIET,
        max_turns=32,
        planner={"max_parallel_steps": len(WAYS)},
    )
    for way in WAYS:
        command = [sys.executable, str(PLANTED), way, str(engine.outside)]
        (engine.config / "agents" / f"{way}.yaml").write_text(yaml.safe_dump({"command": command}))
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


@pytest.fixture(scope="module")
async def watch(crowd: Engine, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Watch]:
    async with crowd.http() as http:
        watch = Watch(crowd, http, tmp_path_factory.mktemp("watch"))
        watch.repository = make_repository(watch.engine.outside.parent / "planted", scenario())
        await watch.begin()
        yield watch


def concern_of(bound: str) -> Callable[[Event], bool]:
    return lambda event: (
        isinstance(body := event.body, TurnConcern)
        and (body.bound, body.is_asking) == (bound, True)
    )


def is_turns_end(event: Event) -> bool:
    return isinstance(event.body, TurnEnded)


@pytest.mark.parametrize(("way", "bound"), FLOODS.items())
async def test_a_flood_is_reported_at_the_first_bound_and_ended_at_the_second(
    watch: Watch, way: str, bound: str
):
    await watch.told(f"{way}/session-1", concern_of(bound))
    [concern] = await watch.inbox(way, "concern")
    (watch.engine.outside / f"{way}.on").touch()
    await watch.told(f"{way}/session-1", is_turns_end)
    await watch.failed(way)

    assert FLOODS_SAY[way] in concern
    [failure] = await watch.inbox(way, "escalation")
    assert f"(limit `{bound}_stop`)" in failure
    assert await watch.inbox(way, "concern") == []


@pytest.mark.parametrize(
    ("way", "bound", "words"),
    [
        ("silent", "quiet", "s; its last call: Write a.txt"),
        ("mute", "opening", "its session is not open after 4 s"),
        ("toolless", "tools", "it has not asked for Treadle's tools"),
    ],
)
async def test_silence_and_a_lack_of_tools_are_told_while_they_last(
    watch: Watch, way: str, bound: str, words: str
):
    await watch.told(f"{way}/session-1", concern_of(bound))

    [concern] = await watch.inbox(way, "concern")
    assert words in concern
    assert words in " ".join(watch.engine.run("treadle", "inbox").stdout.split())


async def test_an_agent_without_tools_is_not_asked_again_and_again(watch: Watch):
    (watch.engine.outside / "toolless.on").touch()

    await watch.failed("toolless")
    [failure] = await watch.inbox("toolless", "escalation")
    assert "it never asked for Treadle's tools" in failure


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ("leaving", "it exited with code 3"),
        ("dying", "it exited with code 3"),
        ("broken", "the model is not there"),
        ("unwilling", "the agent ended 3 turns without report_done (refusal)"),
        ("idle", "the agent ended 3 turns without report_done"),
    ],
)
async def test_an_agent_that_ends_each_turn_at_once_is_told_as_a_failure(
    watch: Watch, way: str, words: str
):
    await watch.failed(way)

    [failure] = await watch.inbox(way, "escalation")
    assert words in failure


async def test_an_agent_whose_provider_refuses_each_turn_is_reported_at_the_second(watch: Watch):
    await watch.told("refused", lambda e: getattr(e.body, "refusals", 0) > 1)

    [concern] = await watch.inbox("refused", "concern")
    assert "its provider refused it 2 times" in concern
    assert "429 Too Many Requests" in concern


async def test_a_chat_that_falls_silent_is_reported(watch: Watch, tmp_path: Path):
    chat = Watch(watch.engine, watch.http, tmp_path)
    body = {"repository": str(watch.repository), "goal": "Hello", "is_planned": False}
    opened = await chat.post("/v1/threads", {**body, "agent": "silent"})
    chat.thread = ThreadId(opened["thread_id"])
    await chat.told("session-1", concern_of("quiet"))

    [concern] = await chat.inbox(None, "concern")
    assert "s; its last call: Write a.txt" in concern


async def test_a_planner_that_circles_is_reported_and_its_planning_fails(
    watch: Watch, tmp_path: Path
):
    """The file that lets it go on is there since the test of a task that does the same."""
    (watch.engine.outside / "circle.on").touch()
    planning = Watch(watch.engine, watch.http, tmp_path)
    body = {
        "repository": str(watch.repository),
        "goal": "Plan it",
        "agent": "circle",
        "is_planned": True,
    }
    planning.thread = ThreadId((await planning.post("/v1/threads", body))["thread_id"])
    await planning.told("session-1", concern_of("repeats"))
    await planning.seen("planning_failed")

    [failure] = await planning.inbox(None, "escalation")
    assert "(limit `repeats_stop`)" in failure


async def test_a_flow_whose_agent_is_silent_is_reported(watch: Watch):
    step = {"type": "llm", "agentType": "coder", "identifier": "main"}
    step["messages"] = [{"role": "user", "content": ["Do it"]}]
    flows = watch.repository / "flows"
    flows.mkdir(exist_ok=True)
    (flows / "still.json").write_text(json.dumps({"steps": [step]}))
    body = {"working_folder": str(watch.repository), "agent": "silent"}
    begun = await watch.http.post("/v1/flows/still/runs", json=body)
    assert begun.status_code == 202, begun.text
    run = begun.json()["conversation_id"]
    path = f"/v1/flow-runs/{run}/events/stream"
    async with asyncio.timeout(PATIENCE_SECONDS), aconnect_sse(watch.http, "GET", path) as source:
        async for message in source.aiter_sse():
            if message.data and concern_of("quiet")(
                JournaledEvent.model_validate_json(message.data).event
            ):
                break

    items = (await watch.http.get("/v1/inbox")).json()["items"]
    [told] = [i for i in items if i["run_id"] == run]
    assert (told["kind"], told["subject"]) == ("concern", "coder/main: a concern about its turn")
    assert told["reason"].startswith("no output for ")
    assert f"treadle flow stop {run}" in watch.engine.run("treadle", "inbox").stdout
