"""A thread whose repository is on a forge double: it is published there, by git over HTTP and the forge's API."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

import domain.reading.event_kinds  # noqa: F401  (reads events by kind)
from domain.core.event import JournaledEvent
from domain.core.ids import ThreadId, publication_id
from domain.forges.projects import ForgeKind
from settings import user_name
from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository
from tests.forge.adapters import VARIABLE, options_of
from tests.forge.double import TOKEN, Double, forge_double
from tests.forge.things import Pull

_PAGE = 1000
_PLAN = {
    "goal": "Write a note",
    "summary": "One note in note.txt.",
    "tasks": [
        {
            "id": "note",
            "title": "Write a note",
            "gate": "auto",
            "verification": [{"type": "command", "label": "there", "command": "test -s note.txt"}],
        }
    ],
}


def scenario_of(command: str) -> dict[str, Any]:
    """Return a scenario whose plan is one task; that, and every turn of a chat, runs a command."""
    write = {"run": command}
    done = {"call": "report_done", "with": {"summary": "The note is there."}}
    return {
        "name": "note",
        "rules": [
            {
                "when": {"prompt": ["planner", "planner-feedback"]},
                "steps": [{"call": "propose_plan", "with": {"plan": _PLAN}}],
            },
            {"when": {"prompt": "task"}, "steps": [write, done]},
            {"when": {}, "steps": [write, {"say": "Done."}]},
        ],
    }


SCENARIO = scenario_of("echo note > note.txt")
_WORK = {
    "when": {"prompt": "task", "text": "Rework pull request"},
    "steps": [
        {"run": "echo more >> note.txt"},
        {"call": "report_done", "with": {"summary": "It has another line."}},
    ],
}
REWORKED = {**SCENARIO, "rules": [_WORK, *SCENARIO["rules"]]}
"""The note is written, and gets another line with each rework."""


def tracker_of(double: Double, repository: Path, **more: Any) -> dict[str, Any]:
    """Return the settings of a tracker: the issues of a double are worked on in a repository."""
    return {
        "name": "work",
        "kind": "github",
        "host": double.host,
        "project": double.path,
        "label": "treadle",
        "repository": str(repository),
        "agent": "scripted",
        **more,
    }


def engine_with(double: Double, folder: Path, **more: Any) -> Engine:
    """Return an engine that knows a double as its forge; not started. `more` are settings."""
    folder.mkdir(exist_ok=True)
    engine = Engine(folder, forges=(options_of(double).model_dump(exclude_none=True),), **more)
    engine.environment[VARIABLE] = TOKEN
    return engine


@asynccontextmanager
async def running_engine(
    double: Double, folder: Path, template: str = "", **more: Any
) -> AsyncIterator[Engine]:
    """Run an engine that knows a double as its forge; its default template may be another."""
    engine = engine_with(double, folder, **more)
    if template:
        place = engine.config / "plan-templates/default/TEMPLATE.md"
        place.parent.mkdir(parents=True)
        place.write_text(template)
    try:
        await engine.start("temporal", "api", "worker")
        yield engine
    finally:
        engine.stop()


def forged_repository(folder: Path, double: Double, scenario: dict[str, Any] = SCENARIO) -> Path:
    """Make a repository whose remote is on a double, and whose agents do what a scenario says."""
    repository = make_repository(folder / "note", scenario)
    address = double.host_repository(folder / "served", repository)
    git(repository, "remote", "add", "origin", address)
    return repository


class ForgedJob(Job):
    """A job whose repository's remote is on a double; several may share the repository."""

    def __init__(
        self,
        engine: Engine,
        http: httpx.AsyncClient,
        folder: Path,
        double: Double,
        repository: Path,
    ) -> None:
        super().__init__(engine, http, folder)
        self.double = double
        self.repository = repository

    @property
    def place(self) -> str:
        """Where the API has the thread's pull request."""
        return f"/v1/threads/{self.thread}/pull-request"

    async def open_chat(self, template: str = "") -> None:
        """Open a chat, and wait until the work of its first turn is in the thread's branch."""
        body = {"repository": str(self.repository), "goal": "Write a note", "agent": "scripted"}
        if template:
            body["template"] = template
        self.thread = ThreadId((await self.post("/v1/threads", body))["thread_id"])
        await self.seen("turn_ended", "session-1")
        await self.post(f"/v1/threads/{self.thread}/sessions/1/merge")
        await self.seen("session_merge_ended")

    async def publish(self) -> Pull:
        """Publish the branch and wait until the pull request was looked at; returns it."""
        await self.post(f"/v1/threads/{self.thread}/publish", {})
        opened = await self.seen("pull_request_opened")
        number: int = opened.model_dump()["pull_request"]["number"]
        await self.seen("pull_request_seen", self.watch(number))
        return self.double.pulls[self.double.path, number]

    def watch(self, number: int) -> str:
        """Return the stream of a pull request, as seen from the thread's."""
        return publication_id(self.thread, number).removeprefix(f"{self.thread}/")

    async def journaled(self) -> list[JournaledEvent]:
        """Return all events of the thread and of what is under it."""
        found: list[JournaledEvent] = []
        while True:
            after = found[-1].position if found else 0
            page = {"after": after, "limit": _PAGE}
            answer = await self.http.get(f"/v1/threads/{self.thread}/events", params=page)
            events = [JournaledEvent.model_validate(each) for each in answer.json()["events"]]
            found += events
            if len(events) < _PAGE:
                return found

    async def cards(self) -> list[dict[str, Any]]:
        """Return the thread's items of the inbox that are about its pull request."""
        items = (await self.http.get("/v1/inbox")).json()["items"]
        found = [item for item in items if item["kind"] == "pull_request"]
        return [item["pull_request"] for item in found if item["thread_id"] == self.thread]


@asynccontextmanager
async def forged_job(
    folder: Path, scenario: dict[str, Any] = SCENARIO, *, is_tracked: bool = False
) -> AsyncIterator[ForgedJob]:
    """A job on a forge and an engine of its own, which may take the forge's issues; not begun."""
    with forge_double(ForgeKind.GITHUB) as double:
        repository = forged_repository(folder, double, scenario)
        tracker = tracker_of(double, repository, approvers={"ann": user_name()})
        more = {"trackers": (tracker,)} if is_tracked else {}
        async with (
            running_engine(double, folder / "engine", **more) as engine,
            engine.http() as http,
        ):
            yield ForgedJob(engine, http, folder, double, repository)
