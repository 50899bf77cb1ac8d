"""The engine as a conversation needs it: requests that block run in OS threads, events come in order."""

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from concurrent.futures import TimeoutError as Late
from typing import Any, NamedTuple

import httpx

from cli.acp.newer import read_known
from cli.core.client import Client, path_of
from cli.core.errors import CommandError
from cli.core.streams import followed, hang_up
from cli.core.threads import ThreadRow
from domain.core.event import JournaledEvent
from domain.core.ids import ThreadId, session_stream
from domain.reading.event_kinds import read_event
from domain.reading.views import ThreadView

PAGE = 500
MOST_READ_AHEAD = 200

OnOpen = Callable[[httpx.Response], None]
"""Takes the answer that a connection began with."""

_LOG = logging.getLogger(__name__)


class Post(NamedTuple):
    """A command to send: its path below /v1/threads/THREAD, and its body."""

    path: tuple[str, ...]
    body: dict[str, Any]


class Look(NamedTuple):
    """A thread as it is now, as far as this program can read it."""

    view: ThreadView
    is_whole: bool
    """Whether that is all: nobody can be asked about what they are shown in part."""


class Engine:
    """Reads and commands of one engine."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def get(self, path: str, **parameters: str | int) -> Any:
        """Read something; fails as `Client.get` does."""
        return await asyncio.to_thread(self._client.get, path, **parameters)

    async def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """Send a command; fails as `Client.post` does."""
        return await asyncio.to_thread(self._client.post, path, body)

    async def text(self, path: str, **parameters: str) -> str:
        """Read a text; fails as `Client.text` does."""
        return await asyncio.to_thread(self._client.text, path, **parameters)

    async def command(self, thread_id: str, post: Post) -> dict[str, Any]:
        """Send a command to a thread."""
        return await self.post(path_of("threads", thread_id, *post.path), post.body)

    async def view(self, thread_id: str) -> ThreadView:
        """Read a thread as it is now, without what only a newer program knows; fails as `Client.get` does.

        Raises:
            NewerEngineError: It cannot be read without that.
        """
        return (await self.look(thread_id)).view

    async def look(self, thread_id: str) -> Look:
        """Do the same, and tell whether that is all."""
        return Look(*read_known(ThreadView, await self.get(path_of("threads", thread_id))))

    async def threads(self, **filters: str | int) -> tuple[list[ThreadRow], int | None]:
        """Return a page of threads, and the cursor of the next."""
        page = await self.get("/v1/threads", **filters)
        return page["threads"], page.get("next")

    async def history(self, thread_id: str, until: int) -> AsyncGenerator[JournaledEvent]:
        """Yield the events of a thread and of its own sessions, in order, up to a position.

        The streams are read one after the other: what comes meanwhile is told by `follow`, in its order.
        """
        view = await self.view(thread_id)
        streams = [thread_id, *(str(each.session_id) for each in view.sessions)]
        own = {session_stream(thread_id, n + 1) for n in range(len(streams) - 1)} | {thread_id}
        found = [row for name in streams if name in own for row in await self._stream(name)]
        for event in sorted(map(read_event, found), key=lambda e: e.position):
            if event.position <= until:
                yield event

    async def _stream(self, stream: str) -> list[dict[str, Any]]:
        path = path_of("threads", stream.partition("/")[0], "events")
        rows: list[dict[str, Any]] = []
        after = 0
        while page := (await self.get(path, stream=stream, after=after, limit=PAGE))["events"]:
            rows += page
            after = page[-1]["position"]
        return rows

    async def follow(self, thread_id: ThreadId, after: int) -> AsyncGenerator[JournaledEvent]:
        """Yield the events of a thread after a position, across lost connections.

        Raises:
            CommandError: The thread is gone, or may not be read any more.
        """
        path = path_of("threads", thread_id, "events", "stream")
        feed = _Feed(lambda opened: followed(self._client, path, after, on_open=opened))
        try:
            while True:
                row = await feed.queue.get()
                if isinstance(row, CommandError):
                    raise row
                yield read_event(row)
        finally:
            feed.stop()


class _Feed:
    """Hands what an OS thread reads to this one, a bounded number of rows ahead."""

    def __init__(self, rows: Callable[[OnOpen], Iterator[dict[str, Any]]]) -> None:
        self.queue: asyncio.Queue[dict[str, Any] | CommandError] = asyncio.Queue(MOST_READ_AHEAD)
        self._rows = rows
        self._answer: httpx.Response | None = None
        self._loop = asyncio.get_running_loop()
        self._is_over = threading.Event()
        threading.Thread(target=self._read, daemon=True, name="events").start()

    def stop(self) -> None:
        """Stop reading, and end the connection: a quiet thread would keep it."""
        self._is_over.set()
        if self._answer is not None:
            hang_up(self._answer)

    def _opened(self, answer: httpx.Response) -> None:
        self._answer = answer
        if self._is_over.is_set():
            raise CommandError("nobody reads any more")

    def _read(self) -> None:
        try:
            for row in self._rows(self._opened):
                if not self._put(row):
                    return
        except CommandError as error:
            self._put(error)
        except (ValueError, LookupError, httpx.HTTPError) as error:
            _LOG.exception("the events of a thread cannot be read")
            self._put(CommandError(f"the thread is no longer followed: {error}"))

    def _put(self, row: dict[str, Any] | CommandError) -> bool:
        """Hand on a row; False once nobody reads any more."""
        if self._is_over.is_set() or self._loop.is_closed():
            return False
        waiting = asyncio.run_coroutine_threadsafe(self.queue.put(row), self._loop)
        while True:
            try:
                waiting.result(timeout=1)
            except Late:
                if self._is_over.is_set():
                    waiting.cancel()
                    return False
            else:
                return True
