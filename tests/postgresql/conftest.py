"""A PostgreSQL server for the tests here, installed where it is missing; without one they fail."""

from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.debian import alone, install
from tests.postgresql.server import MISSING, PostgresServer, binaries, new_database


@pytest.fixture(scope="session")
def servers() -> Generator[Path]:
    """A folder for servers, which another user can reach: PostgreSQL runs as nobody's root."""
    with alone():
        found = binaries()
    if found is None:
        install(("postgresql",), "the tests of PostgreSQL")
    if binaries() is None:
        pytest.fail(MISSING)
    with TemporaryDirectory(prefix="treadle-pg-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(scope="session")
def server(servers: Path) -> Generator[PostgresServer]:
    started = PostgresServer(servers / "shared").make().start("-c", "fsync=off")
    yield started
    started.kill()


@pytest.fixture
async def server_url(server: PostgresServer) -> AsyncGenerator[str]:
    """The URL of an empty database on a server."""
    async with new_database(server.url) as there:
        yield there
