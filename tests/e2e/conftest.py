"""One engine for all tests here, and one for each file on a forge; a test kills what it likes and finds it whole again."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.forges.projects import ForgeKind
from tests.e2e.ending import Ending, ending
from tests.e2e.engine import Engine
from tests.e2e.forged import SCENARIO, ForgedJob, forged_repository, running_engine
from tests.e2e.job import Job
from tests.forge.double import Double, forge_double


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


@pytest.fixture(scope="module")
def double() -> Iterator[Double]:
    with forge_double(ForgeKind.GITHUB) as served:
        yield served


@pytest.fixture(scope="module")
def forged_template() -> str:
    """The default template on the forge's engine, where a file has its own."""
    return ""


@pytest.fixture(scope="module")
def forged_scenario() -> dict[str, Any]:
    """What agents do in repositories on the forge; a file may have its own."""
    return SCENARIO


@pytest.fixture(scope="module")
async def forged_engine(
    double: Double, forged_template: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Engine]:
    async with running_engine(double, tmp_path_factory.mktemp("forged"), forged_template) as engine:
        yield engine


@pytest.fixture
async def forged(
    double: Double, forged_engine: Engine, forged_scenario: dict[str, Any], tmp_path: Path
) -> AsyncIterator[ForgedJob]:
    """A job whose repository is on a forge; not begun."""
    await forged_engine.repair()
    repository = forged_repository(tmp_path, double, forged_scenario)
    async with forged_engine.http() as http:
        yield ForgedJob(forged_engine, http, tmp_path, double, repository)
