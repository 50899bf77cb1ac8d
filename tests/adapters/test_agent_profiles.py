"""Agent profiles: ours, the user's, and what is wrong with one."""

import os
import re
from pathlib import Path

import pytest

from adapters.files.agent_profiles import AgentFiles
from domain.errors import InvalidError, UnknownAgentError


WITHOUT_MODES = ("auggie", "vibe")


@pytest.fixture
def put(tmp_path):
    def write(name, text):
        path = tmp_path / "agents" / f"{name}.yaml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)

    return write


@pytest.mark.parametrize("name", AgentFiles().names())
def test_each_built_in_profile_can_be_read_and_says_how_to_install_it(name):
    profile = AgentFiles().profile(name)
    assert profile.name == name
    assert profile.install_hint
    assert profile.work_mode or name in WITHOUT_MODES
    assert profile.plan_mode or name in WITHOUT_MODES


def test_only_the_scripted_agent_says_it_is_scripted():
    files = AgentFiles()
    assert [n for n in files.names() if files.profile(n).is_scripted] == ["scripted"]


def test_an_unknown_agent_is_refused_with_the_known_ones():
    with pytest.raises(UnknownAgentError, match="claude, .*codex, .*gemini, .*opencode, .*scripted"):
        AgentFiles().profile("nope")


def test_a_users_profile_is_added_or_replaces_ours(tmp_path, put):
    put("mine", "command: [my-agent, --acp]\n")
    put("codex", "command: [my-codex]\n")
    files = AgentFiles(tmp_path)

    assert files.profile("mine").command == ("my-agent", "--acp")
    assert files.profile("codex").command == ("my-codex",)
    assert "mine" in files.names()


@pytest.mark.parametrize("text", ["command: []\n", "command: [\n", "title: x\n", "a: &b c\n"])
def test_a_profile_that_cannot_be_read_says_which(tmp_path, put, text):
    put("mine", text)
    with pytest.raises(InvalidError, match=r"mine\.yaml"):
        AgentFiles(tmp_path).profile("mine")


def test_the_profile_on_the_page_is_one(tmp_path, put):
    page = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text()
    put("local-codex", re.search(r"```yaml\n(.*?)```", page, re.DOTALL)[1])

    profile = AgentFiles(tmp_path).profile("local-codex")
    assert profile.command == ("codex-acp",)
    assert 'wire_api = "responses"' in profile.files["config.toml"]


def test_the_page_says_how_to_install_what_the_profiles_name():
    page = (Path(__file__).resolve().parents[2] / "docs" / "agents.md").read_text()
    hints = [AgentFiles().profile(name).install_hint for name in AgentFiles().names()]
    commands = [found[1] for hint in hints if (found := re.search(r"`(npm install [^`]+)`", hint))]
    assert commands
    assert [command for command in commands if command not in page] == []


def test_a_profile_may_be_a_link_but_not_a_pipe(tmp_path, put):
    put("mine", "command: [my-agent]\n")
    (tmp_path / "agents" / "linked.yaml").symlink_to(tmp_path / "agents" / "mine.yaml")
    (tmp_path / "agents" / "loop.yaml").symlink_to("loop.yaml")
    os.mkfifo(tmp_path / "agents" / "pipe.yaml")

    files = AgentFiles(tmp_path)

    assert files.profile("linked").command == ("my-agent",)
    for name in ("pipe", "loop"):
        with pytest.raises(InvalidError, match=rf"{name}\.yaml"):
            files.profile(name)
