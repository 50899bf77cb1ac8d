"""`treadle agents` against a real engine: a user's agent is listed, looked at, and tried."""

import shlex
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import yaml

from tests.adapters.test_egress import FETCH
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


def write(profile: Path, scenario: dict[str, object]) -> None:
    told = yaml.safe_load(profile.read_text())
    profile.write_text(
        yaml.safe_dump(told | {"files": {"scenario.yaml": yaml.safe_dump(scenario)}})
    )


def command(profile: Path, *words: str) -> None:
    profile.write_text(yaml.safe_dump({"command": list(words)}))


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


async def test_a_try_says_what_the_sandbox_refused_and_ports_need_no_restart(
    engine: Engine, mine: Path
):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connect = f"import socket; socket.create_connection(('127.0.0.1', {port}))"
        told = f"except OSError as error: print('127.0.0.1:{port}:', error.strerror)"
        program = f"try: {connect}\n{told}"
        steps = [
            {"run": "touch made"},
            {"run": shlex.join((sys.executable, "-c", program))},
            {"run": shlex.join((sys.executable, "-c", FETCH, "nobody.invalid:443"))},
            {"say": "done"},
        ]
        write(mine, {"name": "reaching", "rules": [{"steps": steps}]})
        first = engine.run("treadle", "agents", "try", "mine")
        config = engine.config / "config.toml"
        config.write_text(f'sandbox_ports = "{port}"\nsandbox_hosts = "nobody.invalid"\n')
        try:
            second = engine.run("treadle", "agents", "try", "mine")
        finally:
            config.unlink()

    assert (first.returncode, second.returncode) == (0, 0), first.stderr + second.stderr
    assert "the sandbox refused: nobody.invalid; by the agent's own errors" in first.stderr
    assert f"port {port}" in first.stderr
    assert "file made" in first.stderr
    assert "by the agent's own errors it was refused: file made\n" in second.stderr
    assert "nobody.invalid" not in second.stderr


async def test_a_look_at_an_agent_that_needs_a_host_to_start_names_it(engine: Engine, mine: Path):
    command(mine, "python3", "-c", FETCH, "nobody.invalid:443")
    looked = engine.run("treadle", "agents", "look", "mine")
    assert looked.returncode == 1
    assert "its sandbox refused: nobody.invalid" in looked.stderr


async def test_a_try_of_an_agent_that_fails_says_why(
    engine: Engine, http: httpx.AsyncClient, mine: Path
):
    lose_scenario(mine)
    tried = engine.run("treadle", "agents", "try", "mine")
    assert tried.returncode == 1
    assert "there is no scenario" in tried.stderr
    assert (await agent(http, "mine"))["tried"]["is_well"] is False
