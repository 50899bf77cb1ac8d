"""An engine whose agent is a vendor's, installed for the test, with the model stub as its model."""

import json
import shutil
import string
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.agents.engine import engine
from tests.agents.installation import CACHE, installed
from tests.model_stub import ModelStub, load, serving

CODEX = Path(__file__).parent / "codex"
TEST = "import unittest\nfrom sums import add\n\nclass Sums(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(add(2, 3), 5)\n"


@pytest.fixture(scope="module")
def model():
    stub = ModelStub(load(CODEX / "model.yaml"))
    with serving(stub) as url:
        yield stub, url


@pytest.fixture(scope="module")
def folder():
    """A folder that is not under the temporary one: Codex's sandbox refuses a home there."""
    CACHE.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=CACHE, prefix="run-"))
    yield made
    shutil.rmtree(made, ignore_errors=True)


@pytest.fixture(scope="module")
def settings(folder, model):
    command = installed(CODEX, "codex-acp")
    profile = string.Template((CODEX / "profile.yaml").read_text())
    agents = folder / "config" / "agents"
    agents.mkdir(parents=True)
    text = profile.safe_substitute(command=json.dumps(command), model_url=model[1])
    (agents / "codex-stub.yaml").write_text(text)
    with engine(folder / "data", folder / "config") as found:
        yield found


@pytest.fixture
def repository(folder):
    path = folder / "repository"
    path.mkdir()
    (path / "test_sums.py").write_text(TEST)
    for arguments in (
        ("init", "-qb", "main"),
        ("add", "."),
        ("commit", "-qm", "A test without code"),
    ):
        git(path, "-c", "user.name=T", "-c", "user.email=t@localhost", *arguments)
    return path


def git(path, *arguments):
    done = subprocess.run(["git", *arguments], cwd=path, check=True, capture_output=True, text=True)
    return done.stdout
