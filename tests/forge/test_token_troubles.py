"""What `treadle doctor --online` says of tokens that do not do."""

import os
from pathlib import Path

import pytest

from domain.forges.projects import ForgeKind
from settings import load_settings
from tests.forge.double import TOKEN, Double
from tests.forge.routing import Answered
from treadle.finding import Finding
from treadle.forge_findings import forge_findings

HOST = "git.corp.example"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "treadle").mkdir()
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("CORP_TOKEN", TOKEN)
    return tmp_path / "treadle" / "config.toml"


def found_of(config: Path, double: Double, source: str = 'token_env = "CORP_TOKEN"') -> Finding:
    """Return what is found of a forge whose token is from there."""
    table = f'[[forges]]\nhost = "{HOST}"\nkind = "{double.kind.value}"\napi_url = "{double.url}"\n'
    config.write_text(f"{table}{source}\n")
    [found] = forge_findings(load_settings(), is_online=True)
    assert TOKEN not in repr(found)
    return found


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A `gh` that a test writes."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "gh"


def says(program: Path, words: str) -> None:
    program.write_text(f"#!/bin/sh\n{words}\n")
    program.chmod(0o755)


def test_a_scope_that_a_token_lacks_is_named(config: Path, double: Double):
    scope = {ForgeKind.GITHUB: "repo", ForgeKind.GITLAB: "api"}.get(double.kind)
    who = {"id": 1, "login": "treadle-bot", "username": "treadle-bot"}
    if double.kind is ForgeKind.GITHUB:
        headers = {"X-OAuth-Scopes": "gist, read:org"}
        double.next_answers = [Answered(200, {**who, "node_id": "U1"}, headers)]
    elif double.kind is ForgeKind.GITLAB:
        answers = [{"id": 1, "username": "treadle-bot"}, {"scopes": ["read_api"]}]
        double.next_answers = [Answered(200, answer) for answer in answers]
    found = found_of(config, double)

    assert found.found.endswith("signed in as treadle-bot")
    assert found.is_well == (scope is None), "Gitea tells of no scopes"
    if scope:
        assert found.fix == f"make a token with the scope {scope}, which this one lacks"


def test_a_rate_limit_says_when_to_ask_again(config: Path, double: Double):
    double.next_answers = [Answered(429, {"message": "slow down"}, {"Retry-After": "90"})]

    assert found_of(config, double).fix == (
        "the forge's rate limit is used up for 90 s: slow down; ask again then"
    )


def test_a_token_with_odd_characters_is_not_sent(
    config: Path, double: Double, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("CORP_TOKEN", f"{TOKEN}\u00a0")

    assert "CORP_TOKEN has characters that no token has" in found_of(config, double).fix
    assert double.requests == []


def test_a_program_that_is_logged_out_says_how_to_log_in(
    config: Path, double: Double, program: Path
):
    says(program, "echo 'no oauth token found' >&2; exit 1")

    fix = found_of(config, double, 'cli = "gh"').fix
    assert fix == "`gh` is not logged in: run `gh auth login`"
    assert double.requests == []


def test_a_programs_token_that_is_refused_says_how_to_log_in(
    config: Path, double: Double, program: Path
):
    says(program, "echo gho_another")

    fix = found_of(config, double, 'cli = "gh"').fix
    assert fix.endswith("has expired: Bad credentials; log in again with `gh auth login`")
