"""Notices between the processes of a journal on a server that something was written: PostgreSQL's LISTEN and NOTIFY.

They are sent after the commits, by a connection of their own: PostgreSQL commits those transactions that notify one
after the other. A notice may be lost with its process or its connection; so followers look by themselves as well,
seldom while they listen, often while they cannot.
"""

import asyncio
import time
from contextlib import suppress
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

CHANNEL = "treadle_journal"
LISTENING_SECONDS = 1.0
"""How long a follower waits for a notice before it looks by itself."""

TOGETHER_SECONDS = 0.02
"""One notice is sent for all that this process writes in so many seconds."""

RETRY_SECONDS = 1.0


class Notices:
    """One connection that listens and notifies, made at first use and again where it is lost."""

    def __init__(self, engine: AsyncEngine) -> None:
        from asyncpg import InterfaceError, PostgresError  # pyright: ignore[reportMissingTypeStubs] (an extra)

        self._faults = (SQLAlchemyError, OSError, InterfaceError, PostgresError)
        self._engine = engine
        self._heard = asyncio.Event()
        self._to_tell = False
        self._sending: asyncio.Task[None] | None = None
        self._connection: AsyncConnection | None = None
        self._driver: Any = None
        self._busy = asyncio.Lock()
        self._tried = -RETRY_SECONDS
        self._is_closed = False

    @property
    def is_listening(self) -> bool:
        """Whether others' notices reach this process."""
        return self._driver is not None

    def tell(self) -> None:
        """Notify all processes soon; what is told meanwhile goes with it."""
        self._to_tell = True
        if not self._is_closed and (self._sending is None or self._sending.done()):
            self._sending = asyncio.create_task(self._send(), name="journal-notices")

    async def wait(self, otherwise: float) -> None:
        """Wait for a notice; while none can be heard, for so many seconds."""
        await self._connect()
        patience = LISTENING_SECONDS if self.is_listening else otherwise
        with suppress(TimeoutError):
            await asyncio.wait_for(self._heard.wait(), patience)
        self._heard.clear()

    async def dispose(self) -> None:
        """Send what is to be sent, and close the connection."""
        self._is_closed = True
        if self._sending is not None:
            await asyncio.wait([self._sending])
        async with self._busy:
            await self._drop()
        await self._engine.dispose()

    async def _send(self) -> None:
        while self._to_tell:
            await asyncio.sleep(TOGETHER_SECONDS)
            self._to_tell = False
            await self._connect()
            async with self._busy:
                if self._driver is None:
                    return
                try:
                    await self._driver.execute(f"NOTIFY {CHANNEL}")
                except self._faults:
                    await self._drop()

    async def _connect(self) -> None:
        async with self._busy:
            if self._driver is not None or time.monotonic() < self._tried + RETRY_SECONDS:
                return
            self._tried = time.monotonic()
            try:
                self._connection = await self._engine.connect()
                raw = await self._connection.get_raw_connection()
                driver: Any = raw.driver_connection
                # a notice is nothing to be kept: its commit waits for no disk
                await driver.execute("SET synchronous_commit = off")
                await driver.add_listener(CHANNEL, self._on_notice)
                driver.add_termination_listener(self._on_end)
                self._driver = driver
            except self._faults:
                await self._drop()

    def _on_notice(self, *_: object) -> None:
        self._heard.set()

    def _on_end(self, *_: object) -> None:
        self._driver = None
        self._heard.set()  # what was told meanwhile is not heard any more

    async def _drop(self) -> None:
        self._driver, connection, self._connection = None, self._connection, None
        if connection is not None:
            with suppress(*self._faults):
                await connection.invalidate()
                await connection.close()
