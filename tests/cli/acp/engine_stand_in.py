"""An engine whose one thread rests, for conversations of an editor."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any, cast

from acp import schema

from cli.acp.engine import Look, Post
from cli.core.errors import CommandError
from domain.core.event import JournaledEvent
from domain.core.ids import ThreadId
from domain.plans.status import PlanStatus
from domain.reading.views import ThreadView
from domain.threads.progress import Progress

THREAD = ThreadId("thread-add-a-flag-1a2b3c")
VIEW = ThreadView(
    thread_id=THREAD,
    goal="add a flag",
    status="chatting",
    repository="/code/app",
    branch="treadle/add-a-flag",
    agent="codex",
    template="default",
    plan_status=PlanStatus.IDLE,
    progress=Progress(done=0, total=0),
)


class FakeEngine:
    """An engine whose thread rests; its answers can be held up."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.posts: list[Post] = []
        self.answers = asyncio.Event()
        self.answers.set()
        self.refusal: CommandError | None = None
        self.waiting: list[dict[str, Any]] = []
        self.followed = 0
        self.left = 0
        self.opened: list[dict[str, Any]] = []
        self.lost: list[CommandError] = []
        """What comes in place of the answers to the next messages that open a thread."""
        self.unanswered: list[CommandError] = []
        """What comes in place of the answers to the next commands, which are carried out."""
        self.rows: list[dict[str, Any]] = []

    async def get(self, path: str, **_: Any) -> Any:
        await self.answers.wait()
        if path.endswith("/messages"):
            return self.waiting
        return {"agents": [], "templates": []}

    async def post(self, _path: str, body: dict[str, Any]) -> dict[str, Any]:
        await self.answers.wait()
        self.opened.append(body)
        if self.lost:
            raise self.lost.pop(0)
        self.said.append(body["goal"])
        return {"thread_id": THREAD}

    async def threads(self, **_: Any) -> tuple[list[dict[str, Any]], None]:
        return self.rows, None

    async def command(self, _thread: str, post: Post) -> dict[str, Any]:
        await self.answers.wait()
        if self.refusal is not None:
            raise self.refusal
        self.posts.append(post)
        self.said += [post.body["text"]] if "text" in post.body else []
        if self.unanswered:
            raise self.unanswered.pop(0)
        return {"message": "Done."}

    async def view(self, _thread: str) -> ThreadView:
        if self.refusal is not None:
            raise self.refusal
        return VIEW

    async def look(self, thread: str) -> Look:
        return Look(await self.view(thread), is_whole=True)

    async def history(self, _thread: str, _until: int) -> AsyncGenerator[JournaledEvent]:
        for event in ():
            yield event

    async def follow(self, _thread: str, _after: int) -> AsyncGenerator[JournaledEvent]:
        self.followed += 1
        if self.refusal is not None:
            raise self.refusal
        try:
            await asyncio.Event().wait()
        finally:
            self.left += 1
        yield cast(JournaledEvent, None)


def words(text: str) -> list[Any]:
    return [schema.TextContentBlock(type="text", text=text)]


async def a_moment() -> None:
    """Let all go on that can, also where this process stood still for that time."""
    await asyncio.sleep(0.05)
    for _ in range(500):
        await asyncio.sleep(0)
