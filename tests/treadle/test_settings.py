"""Settings that are wrong are refused in words."""

from pathlib import Path

import pytest
import yaml

from settings import MODEL_VARIABLES, Settings, SettingsError, environment_of, load_settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def config(tmp_path, monkeypatch):
    """An empty configuration folder, and nothing in the environment."""
    for name in Settings.model_fields:
        monkeypatch.delenv(f"TREADLE_{name.upper()}", raising=False)
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path))
    return tmp_path / "config.toml"


def test_an_empty_variable_is_none(monkeypatch):
    default = load_settings()
    for name in Settings.model_fields:
        monkeypatch.setenv(f"TREADLE_{name.upper()}", "")

    assert load_settings() == default
    assert default.data_dir.is_absolute()


@pytest.mark.parametrize("path", ["data", "./data", "~/data"])
def test_a_relative_data_folder_is_refused(monkeypatch, path):
    monkeypatch.setenv("TREADLE_DATA_DIR", path)

    with pytest.raises(SettingsError, match=rf"TREADLE_DATA_DIR: use an absolute path.*'{path}'"):
        load_settings()


def test_an_empty_data_folder_in_the_file_is_refused(config):
    config.write_text('data_dir = ""')

    with pytest.raises(SettingsError, match="use an absolute path"):
        load_settings()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"api_port = ", "config.toml cannot be read"),
        (b"\0\xff", "config.toml cannot be read"),
        (b"colour = 'blue'", "config.toml: there is no setting 'colour'"),
        (b"api_port = 'many'", "API_PORT"),
        (b"api_port = 70000", "API_PORT"),
        (b"api_port = 1\napi_port = 2", "config.toml cannot be read"),
        (b"[queue]\nmax_runing = 3", "there is no setting 'queue.max_runing'"),
        (
            b"[forges]\nhost = 'a.example'",
            r"TREADLE_FORGES: there may be several: write \[\[forges\]\]",
        ),
        (b"[[forges]]\nhst = 'a.example'", r"config.toml: there is no setting 'forges\[0\].hst'"),
        (
            b"[[forges]]\nhost = 'https://a.example'",
            r"forges\[0\].host: write it as addresses have it",
        ),
        (b"[[forges]]\nkind = 'bitbucket'", r"forges\[0\].kind: Input should be 'github'"),
        (b"[[trackers]]\nlable = 'x'", r"there is no setting 'trackers\[0\].lable'"),
        (b"[[news]]\nquiet = '22-7'", r"news\[0\].quiet: '22-7' are no quiet hours"),
        (b"[webhooks]\nlisten = '8430'", "TREADLE_WEBHOOKS_LISTEN: write an address and a port"),
    ],
)
def test_a_wrong_configuration_file_is_refused(config, content, words):
    config.write_bytes(content)

    with pytest.raises(SettingsError, match=words):
        load_settings()


_FORGE = "[[forges]]\nhost = 'a.example'\nkind = 'gitlab'\n"


def test_two_tables_of_one_forge_are_refused(config):
    table = f"{_FORGE}token_env = 'A'\n"
    config.write_text(table + table)

    with pytest.raises(SettingsError, match=r"two tables are of the host 'a.example'"):
        load_settings()


@pytest.mark.parametrize("line", ["token_env = 'glpat-secret'", "token = 'glpat-secret'"])
def test_a_token_in_the_file_is_not_shown(config, line):
    config.write_text(_FORGE + line)

    with pytest.raises(SettingsError) as refused:
        load_settings()
    assert "glpat-secret" not in str(refused.value)


@pytest.mark.parametrize("name", MODEL_VARIABLES)
def test_with_a_models_key_the_agent_of_threads_is_treadles_own(monkeypatch, name):
    for each in MODEL_VARIABLES:
        monkeypatch.delenv(each, raising=False)
    assert load_settings().default_agent is None
    monkeypatch.setenv(name, "something")
    assert load_settings().default_agent == "treadle"
    monkeypatch.setenv("TREADLE_DEFAULT_AGENT", "codex")
    assert load_settings().default_agent == "codex"


def test_treadles_own_agent_is_logged_in_by_the_same_variables():
    profile = yaml.safe_load((ROOT / "templates/agents/treadle.yaml").read_text())
    assert set(profile["login"]["variables"]) == set(MODEL_VARIABLES)
    assert set(MODEL_VARIABLES) <= set(profile["environment"])


def test_a_child_has_the_tables_of_its_parents_file(config, monkeypatch):
    config.write_text("[circling]\nquiet_concern = 7\n[planner]\nmax_parallel_steps = 2\n")
    parent = load_settings()
    config.unlink()
    for name, value in environment_of(parent).items():
        monkeypatch.setenv(name, value)

    assert load_settings() == parent
    assert parent.circling.quiet_concern == 7
