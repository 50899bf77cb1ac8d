"""The built-in agent on its own: a real process, real tools, and a model that a script plays."""

import pytest

from tests.agents.builtin.client import BUGGY, WIRES, Client, installed
from tests.agents.builtin.raw_model import RawModel
from tests.model_stub import ModelStub, serving


@pytest.fixture(scope="package")
async def command():
    return await installed()


@pytest.fixture(scope="package")
def stub():
    stub = ModelStub()
    with serving(stub) as url:
        stub.url = f"{url}/s/test"
        yield stub


@pytest.fixture(scope="package")
async def raw_model():
    async with RawModel() as model:
        yield model


@pytest.fixture
def play(stub):
    """Script the model's next words: the turns that it takes for a prompt."""

    def play(*turns, prompt="", **more):
        when = {"tools": True} | ({"prompt": prompt} if prompt else {})
        rule = {"name": "work", "when": when, "turns": [*turns]}
        stub.add("test", {"rules": [rule], **more})
        return lambda: [(entry["step"], entry["problem"]) for entry in stub.log("test")]

    return play


@pytest.fixture(scope="package")
def new_client(command, stub, raw_model, tmp_path_factory):
    """Make a client for another process on the same home."""
    home = tmp_path_factory.mktemp("home")
    environment = {
        "OPENAI_BASE_URL": f"{stub.url}/v1",
        "OPENAI_API_KEY": "sk-openai",
        "ANTHROPIC_BASE_URL": stub.url,
        "ANTHROPIC_API_KEY": "sk-anthropic",
        "GOOGLE_GEMINI_BASE_URL": stub.url,
        "OLLAMA_BASE_URL": raw_model.url,
        "GEMINI_API_KEY": "sk-gemini",
        "TREADLE_AGENT_MODEL": WIRES["chat"],
    }
    return lambda cwd: Client(command, cwd, home, **environment)


@pytest.fixture(scope="package")
async def process(new_client, tmp_path_factory):
    """One process for all tests that do not kill it: every test has a session of its own."""
    async with new_client(tmp_path_factory.mktemp("nowhere")) as client:
        yield client


@pytest.fixture
async def agent(process, tmp_path):
    (tmp_path / "a.py").write_text(BUGGY)
    process.begin(tmp_path)
    await process.open()
    return process
