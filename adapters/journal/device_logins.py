"""Programs that ask to be signed in, in a table of the journal's database: their secrets by hash only."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, Text, func, select

from adapters.journal.engines import Engines
from adapters.journal.tables import METADATA
from domain.people.device_logins import DeviceLogin, DeviceState

MOST = 1000
"""How many are kept at a time: who asks for more gets none."""

DEVICE_LOGINS = Table(
    "device_logins",
    METADATA,
    Column("hash", Text, primary_key=True),
    Column("user_code", Text, nullable=False, unique=True),
    Column("state", Text, nullable=False),
    Column("expires_at", Text, nullable=False),
    Column("details", Text, nullable=False),
)
"""The details are JSON."""


class DeviceLogins:
    """The sign-ins of programs, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def add(self, login: DeviceLogin, digest: str) -> bool:
        """Keep a new one and drop those that have expired; False where there are too many."""

        def change(connection: Connection) -> bool:
            is_old = DEVICE_LOGINS.c.expires_at <= _written(login.created_at)
            connection.execute(DEVICE_LOGINS.delete().where(is_old))
            if (connection.scalar(select(func.count()).select_from(DEVICE_LOGINS)) or 0) >= MOST:
                return False
            row = {"hash": digest, "user_code": login.user_code, **_row(login)}
            connection.execute(DEVICE_LOGINS.insert().values(row))
            return True

        return await self._engines.write.run(change)

    async def by_hash(self, digest: str) -> DeviceLogin | None:
        """Return the sign-in of a program's secret, also one that has ended."""
        query = select(DEVICE_LOGINS).where(DEVICE_LOGINS.c.hash == digest)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        return None if row is None else _login_of(row)

    async def by_code(self, user_code: str) -> DeviceLogin | None:
        """Return the sign-in of a code that people see, also one that has ended."""
        query = select(DEVICE_LOGINS).where(DEVICE_LOGINS.c.user_code == user_code)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        return None if row is None else _login_of(row)

    async def change(self, login: DeviceLogin, before: DeviceState) -> bool:
        """Keep a changed one, if its state was `before`; tells whether it was kept."""
        one = DEVICE_LOGINS.update().where(
            DEVICE_LOGINS.c.user_code == login.user_code, DEVICE_LOGINS.c.state == before.value
        )
        changed = one.values(**_row(login))
        return await self._engines.write.run(lambda at: at.execute(changed).rowcount > 0)


def _row(login: DeviceLogin) -> dict[str, Any]:
    return {
        "state": login.state.value,
        "expires_at": _written(login.expires_at),
        "details": login.model_dump_json(),
    }


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _login_of(row: Row[Any]) -> DeviceLogin:
    return DeviceLogin.model_validate_json(row.details)
