"""`treadle hosts`: how each host stands."""

import json

import pytest
from typer.testing import CliRunner

from cli.app import app

HOST = {
    "host": "ab12cd34",
    "name": "build-1",
    "labels": ["gpu"],
    "slots": 3,
    "agents": ["claude"],
    "version": "0.4.1",
    "state": "up",
    "silent": False,
    "silent_seconds": 2.4,
    "threads": ["thread-a"],
    "turns": 2,
    "drain": None,
}


@pytest.fixture
def treadle(api, settings, monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")

    def run(*arguments: str, **changes: object) -> str:
        api.answers["GET /v1/hosts"] = (200, {"hosts": [{**HOST, **changes}]})
        result = CliRunner().invoke(app, ["hosts", *arguments], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    return run


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({}, ("up", "2 s ago", "0.4.1")),
        ({"silent": True, "silent_seconds": 370.0}, ("up, silent", "6 min ago")),
        (
            {"state": "cordoned", "silent": True, "silent_seconds": None},
            ("cordoned, silent", "none"),
        ),
        ({"state": "lost", "silent": True, "silent_seconds": 4 * 3600.0}, ("lost", "4 h ago")),
        ({"version": ""}, ("unknown",)),
    ],
)
def test_each_host_has_its_state_its_heartbeat_and_its_version(treadle, changes, shown):
    heading, row = treadle(**changes).splitlines()
    assert heading.split() == [
        *("host", "id", "state", "threads", "at", "work", "slots"),
        *("heartbeat", "version", "labels", "agents"),
    ]
    for part in ("build-1", "ab12cd34", "gpu", "claude", *shown):
        assert part in row


def test_a_name_cannot_write_on_the_terminal(treadle):
    assert "\x1b[31m" not in treadle(name="a\x1b[31mb", version="\x1b[31m")


def test_as_json_it_is_what_the_server_answers(treadle):
    (host,) = json.loads(treadle("--json"))["hosts"]
    assert (host["silent_seconds"], host["version"]) == (2.4, "0.4.1")
