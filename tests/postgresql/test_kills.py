"""A server that is killed or fails over: what was acknowledged stays, and followers go on."""

import asyncio
import contextlib
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.journal import open_journal
from domain.core.errors import JournalError
from tests.adapters.journal_writer import notice
from tests.postgresql.server import PostgresServer

pytestmark = pytest.mark.e2e

BEFORE = 40
AFTER = 40
DEADLINE = 90
SYNCHRONOUS = "synchronous_standby_names=*"


async def write(
    journal, numbers, acknowledged: list[str], refused: asyncio.Event | None = None
) -> None:
    """Append events, each until it is acknowledged; tells when one is refused."""
    for number in numbers:
        event = notice("a", number)
        while event.id not in acknowledged:
            try:
                await journal.append([event])
                acknowledged.append(event.id)
            except JournalError:
                if refused is not None:
                    refused.set()
                await asyncio.sleep(0.05)


async def follow(journal, total: int) -> list[str]:
    """Follow as the API does: after an error from where one was."""
    seen, after = [], 0
    while len(seen) < total:
        try:
            async with contextlib.aclosing(journal.follow(after=after)) as events:
                async for journaled in events:
                    seen.append(journaled.event.id)
                    after = journaled.position
                    if len(seen) == total:
                        break
        except JournalError:
            await asyncio.sleep(0.05)
    return seen


async def test_a_server_that_is_killed_loses_nothing_that_was_acknowledged(servers: Path):
    server = PostgresServer(servers / "killed").make().start()
    acknowledged: list[str] = []
    try:
        async with open_journal(server.url) as journal, asyncio.timeout(DEADLINE):
            following = asyncio.ensure_future(follow(journal, BEFORE + AFTER))
            await write(journal, range(BEFORE), acknowledged)
            refused = asyncio.Event()
            going_on = asyncio.ensure_future(
                write(journal, range(BEFORE, BEFORE + AFTER), acknowledged, refused)
            )
            server.kill()
            await refused.wait()
            await asyncio.to_thread(server.start)
            await going_on
            seen = await following
            stored = [j.event.id for j in await journal.read()]
    finally:
        server.kill()
    assert seen == stored == acknowledged


async def standby_is_synchronous(server: PostgresServer) -> None:
    engine = create_async_engine(server.url.replace("postgresql", "postgresql+asyncpg"))
    async with engine.connect() as connection:
        while not await connection.scalar(
            text("SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
        ):
            await asyncio.sleep(0.05)
            await connection.rollback()
    await engine.dispose()


async def test_a_standby_that_is_promoted_has_all_that_was_acknowledged(servers: Path):
    first = PostgresServer(servers / "first").make().start()
    second = PostgresServer(servers / "second").copy_of(first).start()
    url = (
        f"postgresql://postgres@/postgres?host=127.0.0.1:{first.port}&host=127.0.0.1:{second.port}"
        "&target_session_attrs=primary"
    )
    acknowledged: list[str] = []
    try:
        async with asyncio.timeout(DEADLINE):
            first.kill()
            first.start("-c", SYNCHRONOUS)
            await standby_is_synchronous(first)
            async with open_journal(url) as journal:
                following = asyncio.ensure_future(follow(journal, BEFORE + AFTER))
                await write(journal, range(BEFORE), acknowledged)
                going_on = asyncio.ensure_future(
                    write(journal, range(BEFORE, BEFORE + AFTER), acknowledged)
                )
                first.kill()
                await asyncio.to_thread(second.promote)
                await going_on
                seen = await following
                stored = [j.event.id for j in await journal.read()]
    finally:
        first.kill()
        second.kill()
    assert seen == stored == acknowledged
