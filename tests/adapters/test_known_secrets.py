"""Which variables and files of this host are secret, and agents' homes that were tampered with."""

from pathlib import Path

import pytest

from adapters.acp.launch import Launch
from adapters.files.agent_profiles import AgentFiles
from adapters.files.key_ring import KeyRing
from adapters.files.secret_file import SecretFile
from adapters.known_secrets import known_secrets
from adapters.redaction import Redactor
from domain.agents.profiles import AgentProfile
from domain.core.errors import AgentError

VARIABLES = {
    "OPENAI_API_KEY": "value-of-the-key",
    "MY_LLM": "value-of-the-profile",
    "CODEX_HOME": "/home/me/.codex",
    "SSH_AUTH_SOCK": "/run/ssh/agent.1",
    "ANTHROPIC_BASE_URL": "https://api.example.com",
    "TREADLE_JOURNAL_URL": "postgresql+asyncpg://me:hunter222@db/treadle",
    "HOME": "/home/me",
    "GIT_AUTHOR_NAME": "Some Body",
    "LANG": "en_GB.UTF-8",
}


def test_variables_are_secret_by_name_or_by_profile_but_paths_and_urls_are_not():
    named = {"MY_LLM", "CODEX_HOME", "ANTHROPIC_BASE_URL"}
    assert known_secrets(VARIABLES, named, []) == {
        "OPENAI_API_KEY": "value-of-the-key",
        "MY_LLM": "value-of-the-profile",
        "TREADLE_JOURNAL_URL": "hunter222",
    }


def test_names_of_models_and_hosts_are_told_though_a_profile_names_them():
    variables = {
        "TREADLE_AGENT_MODEL": "openai:qwen3-coder",
        "NO_PROXY": "localhost",
        "OLLAMA_HOST": "127.0.0.1:11434",
        "HTTPS_PROXY": "me:hunter222@proxy",
        "MODEL_KEY": "value-of-the-key",
    }
    assert known_secrets(variables, set(variables), []) == {
        "HTTPS_PROXY": "me:hunter222@proxy",
        "MODEL_KEY": "value-of-the-key",
    }


def test_every_variable_of_our_profiles_that_is_a_key_is_known():
    names = AgentFiles().variables()
    assert {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"} <= names


def test_the_installations_own_keys_are_redacted(tmp_path: Path):
    token, ring = SecretFile(tmp_path / "token"), KeyRing(tmp_path / "payload.keys")
    redactor = Redactor(known_secrets({}, (), [token, ring]))
    text = f"{token.read().decode()} {ring.read().decode().split()[1]}"
    assert redactor.text(text) == "[redacted:token-1] [redacted:payload.keys-2]"


def launch(folder: Path, name: str) -> None:
    # made without its own checks: this is the second wall
    profile = AgentProfile.model_construct(name="mine", command=("true",), files={name: "new"})
    Launch(folder / "data", lambda _names: {}).command(profile, "s-1", folder)


def test_a_link_in_an_agents_home_is_replaced_and_not_followed(tmp_path: Path):
    home = Launch(tmp_path / "data", lambda _names: {}).home("mine", "s-1")
    home.mkdir(parents=True)
    theirs = tmp_path / "bashrc"
    theirs.write_text("theirs")
    (home / "config.toml").symlink_to(theirs)

    launch(tmp_path, "config.toml")

    assert theirs.read_text() == "theirs"
    assert (home / "config.toml").read_text() == "new"
    assert not (home / "config.toml").is_symlink()


@pytest.mark.parametrize("name", ["../outside", "/outside", "sub/x"])
def test_a_profiles_file_outside_of_the_home_is_refused(tmp_path: Path, name: str):
    home = Launch(tmp_path / "data", lambda _names: {}).home("mine", "s-1")
    home.mkdir(parents=True)
    (home / "sub").symlink_to(tmp_path)

    with pytest.raises(AgentError, match="can't be made"):
        launch(tmp_path, name)
    assert not (tmp_path / "x").exists()
