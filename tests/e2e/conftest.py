"""One engine for all tests here; each kills what it likes and finds it whole again."""

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.e2e.ending import Ending, ending
from tests.e2e.engine import Engine
from tests.e2e.job import Job


@pytest.fixture(scope="session")
async def whole_engine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Engine]:
    engine = Engine(tmp_path_factory.mktemp("engine"))
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


@pytest.fixture
async def engine(whole_engine: Engine) -> Engine:
    """The engine with all its parts, whatever the test before has killed."""
    whole_engine.stage.release("before_merge", "after_merge")
    await whole_engine.repair()
    return whole_engine


@pytest.fixture
async def http(engine: Engine) -> AsyncIterator[httpx.AsyncClient]:
    async with engine.http() as client:
        yield client


@pytest.fixture
async def job(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    """A repository with the main job's scenario; not begun."""
    return Job(engine, http, tmp_path)


@pytest.fixture(scope="session")
async def undisturbed(whole_engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> Ending:
    """How the job ends when nothing is killed."""
    await whole_engine.repair()
    async with whole_engine.http() as http:
        job = Job(whole_engine, http, tmp_path_factory.mktemp("undisturbed"))
        await job.begin()
        await job.to_the_gate()
        await job.finish()
        return await ending(job)
