"""`treadle agents` against a real engine: a user's agent is listed, looked at, and tried."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import yaml

from tests.e2e.engine import Engine

pytestmark = pytest.mark.e2e

SCENARIO = {"name": "answer", "rules": [{"steps": [{"say": "The secret word is heron."}]}]}


@pytest.fixture
def mine(engine: Engine) -> Iterator[Path]:
    """A profile of the user's own, the scripted agent with a scenario, and one that is broken."""
    profile = {
        "command": ["${treadle}", "scripted-agent"],
        "files": {"scenario.yaml": yaml.safe_dump(SCENARIO)},
        "set_environment": {
            "TREADLE_SCENARIO": "${home}/scenario.yaml",
            "TREADLE_SCRIPTED_STATE": "${home}",
        },
    }
    folder = engine.config / "agents"
    (folder / "mine.yaml").write_text(yaml.safe_dump(profile))
    (folder / "broken.yaml").write_text("comand: [x]\n")
    yield folder / "mine.yaml"
    for name in ("mine", "broken"):
        (folder / f"{name}.yaml").unlink()


def lose_scenario(profile: Path) -> None:
    profile.write_text(profile.read_text().replace("/scenario.yaml", "/missing.yaml"))


async def agent(http: httpx.AsyncClient, name: str) -> dict:
    listed = (await http.get("/v1/agents")).json()["agents"]
    return next(each for each in listed if each["name"] == name)


async def test_a_users_agent_is_listed_looked_at_and_tried(
    engine: Engine, http: httpx.AsyncClient, mine: Path
):
    before = await agent(http, "mine")
    assert (before["is_installed"], before["seen"], before["login"]) == (True, None, "unknown")
    assert "did you mean 'command'?" in (await agent(http, "broken"))["problem"]

    looked = engine.run("treadle", "agents", "look", "mine")
    assert looked.returncode == 0, looked.stderr
    assert (await agent(http, "mine"))["seen"]["capabilities"]["resume"]

    tried = engine.run("treadle", "agents", "try", "mine")
    assert tried.returncode == 0, tried.stderr
    assert "The secret word is heron." in tried.stdout
    assert (await agent(http, "mine"))["login"] == "yes"
    assert not list((engine.settings.data_dir / "checks").iterdir())
    assert not list((engine.settings.data_dir / "agents" / "mine").iterdir())


async def test_a_try_of_an_agent_that_fails_says_why(
    engine: Engine, http: httpx.AsyncClient, mine: Path
):
    lose_scenario(mine)
    tried = engine.run("treadle", "agents", "try", "mine")
    assert tried.returncode == 1
    assert "there is no scenario" in tried.stderr
    assert (await agent(http, "mine"))["tried"]["is_well"] is False
