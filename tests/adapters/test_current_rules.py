"""Lists of ports and hosts that the user changes while a worker runs: the next sandbox has them."""

import pytest

from adapters.current_rules import CurrentRules
from domain.agents.sandbox import Level
from settings import Settings, SettingsError, load_settings


def configured():
    try:
        return load_settings().sandbox_rules
    except SettingsError:
        return None


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path))
    return tmp_path / "config.toml"


def test_changed_lists_count_at_once_and_nothing_else_does(file):
    file.write_text('sandbox_ports = "80"\n')
    rules = CurrentRules(load_settings().sandbox_rules, configured)

    file.write_text('sandbox = "off"\nsandbox_ports = "81"\nsandbox_hosts = "git.example"\n')
    sandbox = rules.now.of(None, None)

    assert (sandbox.level, sandbox.connect) == (Level.WORKSPACE_WRITE, (81,))
    assert sandbox.hosts.allow("git.example")
    file.unlink()
    assert rules.now.of(None, None).connect == ()


def test_what_cannot_be_read_changes_nothing(file):
    rules = CurrentRules(load_settings().sandbox_rules, configured)
    file.write_text('sandbox_ports = "81"\n')
    assert rules.now.connect == (81,)

    for text in ('sandbox_ports = "many"\n', "sandbox_ports =", 'sandbox_prots = "82"\n'):
        file.write_text(text)
        assert rules.now.connect == (81,)


def test_settings_that_are_in_no_file_stay_and_variables_go_first(file, monkeypatch):
    rules = CurrentRules(Settings(sandbox_ports="90").sandbox_rules, configured)
    assert rules.now.connect == (90,)
    monkeypatch.setenv("TREADLE_SANDBOX_PORTS", "91")
    rules = CurrentRules(load_settings().sandbox_rules, configured)
    file.write_text('sandbox_ports = "81"\n')
    assert rules.now.connect == (91,)
