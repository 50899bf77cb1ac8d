"""An engine whose agent is a vendor's, installed for the test, with the model stub as its model."""

import json
import tempfile
from pathlib import Path

import pytest

from tests.agents.codex_job import CODEX, CodexJob
from tests.agents.installation import CACHE, PROGRAMS, install
from tests.e2e.engine import Engine, remove
from tests.model_stub import ModelStub, load, serving


def pytest_addoption(parser):
    parser.addoption("--every-agent", action="store_true", help="run all agents of the matrix")
    parser.addoption("--newest", action="store_true", help="run them at their newest versions")


@pytest.fixture
def is_every_agent(request):
    return request.config.getoption("--every-agent", default=False)


@pytest.fixture
def is_newest(request):
    return request.config.getoption("--newest", default=False)


@pytest.fixture
def model():
    """What plays the model: its log tells what Codex asked of it."""
    return ModelStub(load(CODEX / "model.yaml"))


@pytest.fixture
def folder():
    """A folder that is not under the temporary one: Codex's sandbox refuses a home there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=CACHE, prefix="run-")).resolve()
    yield made
    remove(made)


@pytest.fixture
async def engine(folder, model):
    """An engine in an environment where Codex is installed and given a key, but not logged in."""
    engine = Engine(folder)
    (folder / "codex").mkdir()
    with serving(model) as url:
        engine.environment |= {
            "TREADLE_PROGRAMS_DIR": str(PROGRAMS),
            "CODEX_HOME": str(folder / "codex"),
            "CODEX_CONFIG": json.dumps(codex_config(url)),
            "OPENAI_API_KEY": "none",
        }
        try:
            await engine.start("temporal", "api", "worker")
            await install(engine, "codex")
            yield engine
        finally:
            engine.stop()


@pytest.fixture
async def job(engine, folder):
    async with engine.http() as http:
        yield CodexJob(engine, http, folder / "repository")


def codex_config(model_url: str) -> dict:
    """What a person would write into Codex's config.toml to use a model server of their own."""
    provider = {
        "name": "stub",
        "base_url": f"{model_url}/v1",
        "wire_api": "responses",
        "requires_openai_auth": True,
        "supports_websockets": False,
    }
    return {"model": "stub-1", "model_provider": "stub", "model_providers": {"stub": provider}}
