"""A door with its journal, and what it took."""

from datetime import timedelta

import httpx
import pytest

from adapters.journal import open_journal
from api.webhooks.counts import Counts
from api.webhooks.door import Door
from api.webhooks.secrets import secrets_of
from api.webhooks.taking import Taking
from api.webhooks.waking import Waking
from domain.forges.hints import ForgeHint
from settings.serve import networks
from settings.webhooks import WebhooksTable
from tests.webhooks.senders import sender

KINDS = ("github", "gitea", "gitlab", "standard")


class HeardWatchers:
    """Stands for the workflows: remembers the hints that they were told."""

    def __init__(self) -> None:
        self.hints: list[ForgeHint] = []

    async def tell(self, hints) -> int:
        self.hints += hints
        return len(hints)


class OpenDoor:
    """A door, the requests to it, and what came of them."""

    def __init__(self, journal, table: WebhooksTable) -> None:
        self.started: list[tuple[str, str, dict[str, str]]] = []
        self.watchers = HeardWatchers()
        self.deliveries = journal.webhook_deliveries
        self.waking = Waking(self.watchers)  # pyright: ignore[reportArgumentType]
        self.counts = Counts(journal)
        taking = Taking(journal, self.waking, self._start, timedelta(hours=1))
        proxies = networks("10.0.0.1")
        self.app = Door(table, secrets_of, taking.take, self.counts, proxies)
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=self.app, client=("192.0.2.7", 5)),
            base_url="http://hooks.example",
        )

    async def _start(self, by, command, parameters) -> str:
        self.started.append((by.name, command, parameters))
        return "thread-a"

    async def hints(self) -> list[ForgeHint]:
        await self.waking.tell()
        return self.watchers.hints

    async def taken(self) -> dict[tuple[str, str], int]:
        await self.counts.write()
        return {(t.sender, t.outcome.value): t.count for t in await self.deliveries.taken()}

    async def refused(self) -> dict[tuple[str, str], int]:
        await self.counts.write()
        return {(r.sender, r.reason.value): r.count for r in await self.deliveries.refused()}


@pytest.fixture
def table(tmp_path):
    senders = tuple(sender(kind, tmp_path) for kind in KINDS)
    return WebhooksTable(listen="127.0.0.1:1", senders=senders, max_bytes=100_000)


@pytest.fixture
async def journal(tmp_path):
    async with open_journal(f"sqlite+aiosqlite:///{tmp_path}/journal.db") as opened:
        yield opened


@pytest.fixture
async def door(journal, table):
    opened = OpenDoor(journal, table)
    async with opened.client:
        yield opened
