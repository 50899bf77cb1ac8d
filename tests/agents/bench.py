"""One real agent in an engine of its own, and the threads of the matrix that it works in."""

import asyncio
import contextlib
import json
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import psutil

from domain.agents.agents import TurnResult
from domain.conversations.events import TurnEnded
from domain.conversations.questions.question import Question
from domain.core.event import EventBody
from domain.core.ids import ThreadId
from tests.agents.contenders import Contender, Pointing
from tests.agents.engines import open_engine
from tests.agents.repositories import REPOSITORIES, make_programs, make_repositories
from tests.e2e.engine import Engine, processes_of
from tests.e2e.job import Job
from tests.model_stub import ModelStub, load, serving
from tests.model_stub.acts import SEARCHES

HERE = Path(__file__).parent
PATIENCE_SECONDS = 150


class Conversation(Job):
    """One thread of an agent under test."""

    patience_seconds = PATIENCE_SECONDS

    def __init__(self, bench: "Bench", name: str = "proof", thread: ThreadId | None = None) -> None:
        """Prepare a thread on the repository of a name, or look at one that is there."""
        self.engine = bench.engine
        self.http = bench.http
        self.repository = bench.repositories[name]
        self.agent = bench.contender.name
        self.problems = bench.problems
        self.events = []
        self.thread = thread or ThreadId("")
        bench.conversations.append(self)

    async def open(self, goal: str, *, is_planned: bool = False) -> None:
        """Open the thread; a chat unless it is planned."""
        body = {
            "repository": str(self.repository),
            "goal": goal,
            "agent": self.agent,
            "is_planned": is_planned,
        }
        self.thread = ThreadId((await self.post("/v1/threads", body))["thread_id"])

    async def say(self, text: str) -> None:
        """Say something to the thread's chat."""
        session = f"{self.thread}/session-1"
        await self.post(
            f"/v1/threads/{self.thread}/messages", {"text": text, "session_id": session}
        )

    async def answer(self) -> None:
        """Allow, once, what the agent asks."""
        asked = self.told("question_asked")[-1].question
        option = next(o for o in asked.options if o.kind == "allow_once")
        await self._answer(asked, {"option_id": option.option_id})

    async def decide(self, task: str, *labels: str) -> None:
        """Choose of the options that a task's agent gave."""
        await self._answer(self.told("question_asked", task)[-1].question, {"selections": labels})

    async def _answer(self, asked: Question, answer: dict[str, Any]) -> None:
        path = f"/v1/threads/{self.thread}/questions/{asked.question_id}/answer"
        await self.post(path, {**answer, "content_hash": asked.content_hash})

    async def stop(self, number: int = 1) -> TurnResult:
        """Stop the n-th turn of the thread's chat; returns how it ended."""
        await self.post(f"/v1/threads/{self.thread}/sessions/1/stop")
        return await self.ended(number)

    async def switch(self, agent: str) -> None:
        """Give the thread's chat to another agent."""
        path = f"/v1/threads/{self.thread}/sessions/1/switch-agent"
        await self.post(path, {"agent": agent})

    async def session(self) -> dict[str, Any]:
        """Return the thread's chat as the API shows it."""
        return (await self.view())["sessions"][0]

    async def ended(self, number: int = 1, under: str = "session-1") -> TurnResult:
        """Wait for the end of a session's n-th turn."""
        body = await self.seen("turn_ended", under, number=number)
        assert isinstance(body, TurnEnded)
        return body.result

    async def seen(
        self, kind: str, under: str = "", *, number: int = 1, task: str | None = None
    ) -> EventBody:
        """Wait for an event as a job does; one that doesn't come fails with what came last."""
        try:
            return await super().seen(kind, under, number=number, task=task)
        except TimeoutError:
            last = [f"{e.event.stream.split('/')[-1]} {e.event.body.kind}" for e in self.events]
            told = ("task_id", "status", "activity", "doing", "waiting_for", "notes")
            tasks = [[each[name] for name in told] for each in (await self.view())["tasks"]]
            what = f"no {kind} {number} of {under or task or 'the thread'}"
            seen = f"last {last[-6:]}, tasks {tasks}, model {self.problems()}"
            raise AssertionError(f"{what}: {seen}") from None

    async def first_of(self, *kinds: str) -> EventBody:
        """Wait for the first event of any of these kinds in the thread's chat."""
        stream = f"{self.thread}/session-1"
        async with asyncio.timeout(self.patience_seconds), aclosing(self.follow()) as events:
            async for journaled in events:
                event = journaled.event
                if event.stream == stream and event.body.kind in kinds:
                    return event.body
        raise AssertionError("a stream of events has no end")

    async def ran(self, file: str) -> None:
        """Wait until a command of the agent has made a file in its worktree."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while not (self.worktree() / file).exists():  # noqa: ASYNC110  (another process)
                await asyncio.sleep(0.05)

    def worktree(self) -> Path:
        """Return where the thread's chat works, which is named after it."""
        digest = sha256(f"{self.thread}/shared".encode()).hexdigest()[:8]
        found = (self.engine.settings.data_dir / "worktrees").glob(f"*/shared-{digest}")
        return next(found, Path("/nowhere"))

    def told(self, kind: str, under: str = "session-1") -> list:
        """Return the events of a kind that were seen in one of the thread's streams."""
        return [body for body in self.bodies(under) if body.kind == kind]

    def bodies(self, under: str = "session-1") -> list:
        """Return all events that were seen in one of the thread's streams."""
        stream = f"{self.thread}/{under}"
        return [e.event.body for e in self.events if e.event.stream == stream]

    def past(self) -> str:
        """Return how the chat's agent came and went, for the note of a failure."""
        told = (
            self.told("agent_session_opened") + self.told("agent_notice") + self.told("turn_ended")
        )
        return "; ".join(str(body) for body in told)[:2000]

    def processes(self) -> list[psutil.Process]:
        """Return the agent's processes, without those that fence it in."""
        found = []
        for process, words in processes_of(self.engine.settings.data_dir):
            try:
                is_here = process.cwd() == str(self.worktree())
            except psutil.Error:
                continue
            if is_here and "bwrap" not in words.split()[0]:
                found.append(process)
        return found

    def kill_agent(self) -> int:
        """Kill the agent with -9; returns how many processes it had."""
        found = self.processes()
        for process in found:
            with contextlib.suppress(psutil.NoSuchProcess):  # ended by itself since it was found
                process.send_signal(signal.SIGKILL)
        return len(found)

    async def archive_sessions_of(self) -> None:
        """Delete the thread with all that runs in it."""
        path = f"/v1/threads/{self.thread}"
        answer = await self.http.request("DELETE", path, json={"is_forced": True})
        assert answer.is_success, answer.text


class Bench:
    """An agent, its engine, its model, and repositories by their names.

    In `asking` it runs without a sandbox, so what it does is a question to the person. `recipe` says what
    its workspaces have, and what the scripted agent does there; `counted` and `stopped` have one chat
    each, whose tokens are counted.
    """

    def __init__(
        self, contender: Contender, engine: Engine, http: httpx.AsyncClient, model: ModelStub
    ) -> None:
        self.contender = contender
        self.engine = engine
        self.http = http
        self.model = model
        folder = engine.settings.data_dir.parent
        self.repositories = {name: folder / name for name in REPOSITORIES}
        self._shared: dict[str, asyncio.Task[ThreadId]] = {}
        self.conversations: list[Conversation] = []
        self.at_once = asyncio.Semaphore(contender.sessions)

    @property
    def repository(self) -> Path:
        """Where most of its threads work."""
        return self.repositories["proof"]

    async def planned(self, goal: str) -> ThreadId:
        """Return the thread of a goal that several scenarios look at: opened and approved once."""
        if goal not in self._shared:
            self._shared[goal] = asyncio.create_task(self._begun(goal))
        return await asyncio.shield(self._shared[goal])

    async def _begun(self, goal: str) -> ThreadId:
        work = Conversation(self)
        await work.open(goal, is_planned=True)
        await work.approve(await work.seen("plan_proposed"))
        return work.thread

    def steps(self) -> list[tuple[str, int]]:
        """Return which steps of its script the model has played, in order, without searches for tools."""
        played = (e for e in self.model.log() if not _only_searches(e["reply"]["calls"]))
        return [(entry["rule"], entry["step"]) for entry in played]

    def after(self, rule: str, step: int) -> str:
        """Return what the agent answered to the model's call in a step."""
        found = (e for e in self.model.log() if e["rule"] == rule and e["step"] > step)
        return next((e["last_result"] or "" for e in found), "")

    def went_on_after(self, error: str, chat: Conversation) -> bool:
        """Tell whether the agent's model was asked to go on in a chat after an error, and answered.

        It knows the chat by its worktree, or by the summary that the model made of it.
        """
        signs, is_over = (str(chat.worktree()), self.model.scripts[""].default["text"]), False
        for entry in self.model.log():
            if entry["rule"] == error and entry["error"]:
                is_over = False
            elif entry["tools"] and any(sign in json.dumps(entry["body"]) for sign in signs):
                is_over = True
        return is_over

    def problems(self) -> list[str]:
        """Return what the model could not play."""
        return [e["problem"] for e in self.model.log() if e["problem"]]


def _only_searches(calls: list[list[Any]]) -> bool:
    return bool(calls) and all(name in SEARCHES for name, _ in calls)


@asynccontextmanager
async def open_bench(contender: Contender, folder: Path) -> AsyncIterator[Bench]:
    """Install an agent and start an engine that finds it, in an environment of its own."""
    model = ModelStub(load(HERE / "matrix.yaml"))
    with serving(model) as url:
        async with open_at(contender, folder, model, contender.point(url)) as bench:
            yield bench


@asynccontextmanager
async def open_at(
    contender: Contender, folder: Path, model: ModelStub, pointing: Pointing
) -> AsyncIterator[Bench]:
    """Do the same for an agent that is pointed at a model which is served already."""
    make_repositories(folder)
    users = make_programs(folder / "users")
    async with open_engine(folder, [(contender, pointing)], users) as engine, engine.http() as http:
        yield Bench(contender, engine, http, model)
