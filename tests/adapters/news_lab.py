"""A receiver of news on loopback, and an inbox that says what it is told."""

import asyncio
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from adapters.news.follower import NewsFollower, Route
from domain.reading.inbox.item import Inbox, InboxItem, InboxKind


class Sink:
    """A real HTTP server that keeps what it gets, and answers as it is told."""

    def __init__(self) -> None:
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.answers: list[str] = []
        self.got = asyncio.Event()
        self.port = 0
        self._open = asyncio.Event()
        self._open.set()

    def hold(self) -> None:
        """Answer nothing more until `release`."""
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook/secret-path"

    async def answer(self, reader, writer) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:])}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        self.requests.append((head[0], headers, body))
        said = self.answers.pop(0) if self.answers else "204 No Content"
        self.got.set()
        await self._open.wait()
        if said != "silence":
            writer.write(
                f"HTTP/1.1 {said}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode()
            )
            await writer.drain()
        writer.close()


@asynccontextmanager
async def sink():
    found = Sink()
    server = await asyncio.start_server(found.answer, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    async with server:
        yield found


class FixedInbox:
    """An inbox, in place of threads in a journal."""

    def __init__(self, *items) -> None:
        self.items = items

    async def newest(self, projects=None) -> Inbox:
        return Inbox(items=tuple(self.items), position=7)


class Everybody:
    """A server with one person, whose everything is."""

    async def items_for(self, people, items):
        return tuple(items)

    async def snoozed_for(self, people, items):
        return {}


def item(name, kind=InboxKind.GATE, **more) -> InboxItem:
    since = datetime(2030, 5, 17, 12, tzinfo=UTC)
    return InboxItem(
        item_id=f"thread-{name}#{kind}",
        kind=kind,
        workflow_id=f"thread-{name}",
        title=f"Thread {name}",
        since=since,
        **more,
    )


def follower(journal, inbox, channel, carrier, holder="host-1") -> NewsFollower:
    async def routes():
        return [Route(channel, carrier)]

    return NewsFollower(inbox, Everybody(), journal.news, routes, "https://treadle.example", holder)
