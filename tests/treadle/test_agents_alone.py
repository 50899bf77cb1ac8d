"""`treadle agents` without an engine: lists, pages and installations of this machine."""

import json

import pytest
from typer.testing import CliRunner

from cli.app import app
from cli.core.errors import UnreachableError
from tests.adapters.registry_lab import RegistryLab
from tests.free_ports import free_ports
from treadle.agents_alone import AgentsAlone

PROFILE = """
command: [my-agent, --acp]
install: {npm: my-agent@1.2.3, node: ">=22"}
"""


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A machine with npm and one agent of its own, whose engine does not run."""
    lab = RegistryLab(tmp_path)
    (tmp_path / "home").mkdir()
    agents = tmp_path / "config" / "agents"
    agents.mkdir(parents=True)
    (agents / "mine.yaml").write_text(PROFILE)
    for name, value in {
        "TREADLE_DATA_DIR": str(tmp_path / "data"),
        "TREADLE_CONFIG_DIR": str(tmp_path / "config"),
        "TREADLE_API_PORT": str(free_ports(1)[0]),
        "HOME": str(tmp_path / "home"),
        "SHELL": "/bin/false",
        "PATH": lab.path,
    }.items():
        monkeypatch.setenv(name, value)
    return lab


def treadle(*arguments, obj=AgentsAlone):
    return CliRunner().invoke(app, ["agents", *arguments], obj=obj)


def test_agents_are_listed_and_shown_from_files(lab):
    done = treadle("--json")
    agents = {each["name"]: each for each in json.loads(done.stdout)["agents"]}
    assert agents["mine"]["is_installed"] is False
    assert agents["scripted"]["is_installed"]
    assert "No engine is running" in done.stderr

    assert "my-agent@1.2.3" in treadle("show", "mine").stdout
    unknown = treadle("show", "nobody")
    assert unknown.exit_code == 1
    assert "there is no agent 'nobody'" in str(unknown.exception)


def test_an_agent_is_installed_and_then_listed(lab):
    lab.node()
    done = treadle("install", "mine", "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["version"] == "1.2.3"
    assert "fetching my-agent" in done.stderr

    agents = json.loads(treadle("--json").stdout)["agents"]
    [mine] = [each for each in agents if each["name"] == "mine"]
    assert (mine["is_installed"], mine["version"]) == (True, "1.2.3")
    assert not [*(lab.folder / "data" / "runs").iterdir()]


def test_what_cannot_be_installed_is_reported(lab):
    lab.node(instead="echo 'no such host' >&2; exit 7")
    done = treadle("install", "mine")
    assert done.exit_code == 1
    assert "no such host" in str(done.exception)


@pytest.mark.parametrize("words", [(), ("show", "mine"), ("install", "mine"), ("try", "mine")])
def test_a_repository_that_is_not_there_is_reported(lab, words):
    for name in ("missing", "bin/npm"):
        lab.node()
        place = str(lab.folder / name)
        done = treadle(*words, "--repo", place)
        assert done.exit_code == 1
        assert place in str(done.exception)
        assert "is not a readable folder" in str(done.exception)


@pytest.mark.parametrize("arguments", [("look", "mine"), ("try", "mine")])
def test_what_needs_an_engine_says_so(lab, arguments):
    assert isinstance(treadle(*arguments).exception, UnreachableError)


def test_commands_that_speak_rest_alone_name_the_engine(lab):
    assert isinstance(treadle(obj=None).exception, UnreachableError)
    assert isinstance(treadle("--host", "build-1").exception, UnreachableError)
