"""An engine whose agent is a vendor's, installed for the test, with the model stub as its model."""

import json
import shutil
import string
import tempfile
from pathlib import Path

import pytest

from tests.agents.codex_job import CODEX, CodexJob
from tests.agents.installation import CACHE, installed
from tests.e2e.engine import Engine
from tests.model_stub import ModelStub, load, serving


@pytest.fixture
def model():
    """What plays the model: its log tells what Codex asked of it."""
    return ModelStub(load(CODEX / "model.yaml"))


@pytest.fixture
def folder():
    """A folder that is not under the temporary one: Codex's sandbox refuses a home there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=CACHE, prefix="run-"))
    yield made
    shutil.rmtree(made)


@pytest.fixture
async def engine(folder, model):
    command = installed(CODEX, "codex-acp")
    profile = string.Template((CODEX / "profile.yaml").read_text())
    engine = Engine(folder)
    with serving(model) as url:
        text = profile.safe_substitute(command=json.dumps(command), model_url=url)
        (engine.config / "agents" / "codex-stub.yaml").write_text(text)
        try:
            await engine.start("temporal", "api", "worker")
            yield engine
        finally:
            engine.stop()


@pytest.fixture
async def job(engine, folder):
    async with engine.http() as http:
        yield CodexJob(engine, http, folder / "repository")
