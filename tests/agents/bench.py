"""One real agent in an engine of its own, and the threads of the matrix that it works in."""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from hashlib import sha256
from pathlib import Path

import httpx
import psutil

from domain.agents.agents import TurnResult
from domain.conversations.events import TurnEnded
from domain.core.event import EventBody
from domain.core.ids import ThreadId
from tests.agents.contenders import Contender, Pointing, write_files
from tests.agents.installation import PROGRAMS
from tests.e2e.engine import Engine, processes_of
from tests.e2e.job import Job, git
from tests.model_stub import ModelStub, load, serving

HERE = Path(__file__).parent
PATIENCE_SECONDS = 150


class Conversation(Job):
    """One thread of an agent under test."""

    patience_seconds = PATIENCE_SECONDS

    def __init__(self, bench: "Bench", *, is_asking: bool = False) -> None:
        self.engine = bench.engine
        self.http = bench.http
        self.repository = bench.asking if is_asking else bench.repository
        self.agent = bench.contender.name
        self.events = []
        self.thread = ThreadId("")
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
        path = f"/v1/threads/{self.thread}"
        asked = self.told("question_asked")[-1].question
        option = next(o for o in asked.options if o.kind == "allow_once")
        body = {"option_id": option.option_id, "content_hash": asked.content_hash}
        await self.post(f"{path}/questions/{asked.question_id}/answer", body)

    async def ended(self, number: int = 1, under: str = "session-1") -> TurnResult:
        """Wait for the end of a session's n-th turn."""
        body = await self.seen("turn_ended", under, number=number)
        assert isinstance(body, TurnEnded)
        return body.result

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
        seen = [e.event for e in self.events]
        return [e.body for e in seen if (e.stream, e.body.kind) == (f"{self.thread}/{under}", kind)]

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
    """An agent, its engine, its model, and two repositories.

    In `asking` it runs without a sandbox, so what it does is a question to the person.
    """

    def __init__(
        self, contender: Contender, engine: Engine, http: httpx.AsyncClient, model: ModelStub
    ) -> None:
        self.contender = contender
        self.engine = engine
        self.http = http
        self.model = model
        folder = engine.settings.data_dir.parent
        self.repository, self.asking = folder / "proof", folder / "asking"
        self.conversations: list[Conversation] = []
        self.at_once = asyncio.Semaphore(contender.sessions)

    def steps(self) -> list[tuple[str, int]]:
        """Return which steps of its script the model has played, in order."""
        return [(entry["rule"], entry["step"]) for entry in self.model.log()]

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
    programs = contender.programs()
    engine = Engine(folder)
    home = folder / "home"
    home.mkdir()
    for name in ("proof", "asking"):
        make_repository(folder / name)
    write_files(home, pointing.files)
    if (profile := contender.own_profile()) is not None:
        write_files(engine.config, {f"agents/{contender.name}.yaml": profile})
    path = os.pathsep.join((*programs, engine.environment["PATH"]))
    engine.environment |= {"HOME": str(home), "PATH": path, **pointing.variables}
    engine.environment["TREADLE_PROGRAMS_DIR"] = str(PROGRAMS)
    engine.environment["TREADLE_SANDBOX"] = "workspace-write"
    engine.environment["TREADLE_SANDBOX_OFF"] = str(folder / "asking")
    try:
        await engine.start("temporal", "api", "worker")
        await contender.install(engine)
        async with engine.http() as http:
            yield Bench(contender, engine, http, model)
    finally:
        engine.stop()


def make_repository(path: Path) -> None:
    """Make a repository with a file that says no."""
    path.mkdir()
    (path / "answer.txt").write_text("no\n")
    git(path, "init", "--quiet", "--initial-branch", "main")
    git(path, "add", "--all")
    author = ("-c", "user.name=Tester", "-c", "user.email=tester@treadle.invalid")
    git(path, *author, "commit", "--quiet", "--message", "Begin")
