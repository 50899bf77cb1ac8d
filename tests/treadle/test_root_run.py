"""A run of root is told, refused where settings say so, or given to an ordinary user."""

import json
import os
import subprocess

import pytest

from adapters.root import root_refusal
from settings import Settings
from tests.adapters.test_sandbox_escapes import ENVIRONMENT, ORDINARY, python_of
from tests.treadle.test_surroundings import DEADLINE, TREADLE, assert_said, environment, treadle
from treadle.root_run import _without_user, root_findings

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root is told")
__all__ = ["environment"]


def user_of(environment: dict[str, str]) -> dict[str, object]:
    done = treadle(environment, "doctor", "--json")
    findings = json.loads(done.stdout)["findings"]
    return next(finding for finding in findings if finding["name"] == "user")


@as_root
def test_doctor_says_of_root_what_it_reads(environment):
    finding = user_of(environment)

    assert not finding["is_well"]
    assert not finding["is_required"]
    assert "root" in finding["found"]
    assert "--user NAME" in finding["fix"]


@as_root
def test_doctor_says_of_root_without_a_sandbox_that_all_is_open(tmp_path):
    (finding,) = root_findings(Settings(data_dir=tmp_path, sandbox="off"))

    assert "can read and write everything that root can" in finding.found


def test_an_ordinary_user_is_not_told(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: ORDINARY)

    (finding,) = root_findings(Settings(data_dir=tmp_path, root="refuse"))

    assert finding.is_well
    assert root_refusal("refuse") == ""


@as_root
def test_up_says_that_it_runs_as_root(environment, tmp_path):
    (tmp_path / "data").write_text("no folder")  # so that it ends by itself

    done = treadle(environment, "up")

    assert_said(done, "running as root", "treadle up --user NAME")


@as_root
@pytest.mark.parametrize("command", ["up", "worker"])
def test_root_is_refused_where_settings_say_so(environment, tmp_path, command):
    done = treadle({**environment, "TREADLE_ROOT": "refuse"}, command)

    assert_said(done, "runs of root are forbidden here", "TREADLE_ROOT=refuse")
    assert not (tmp_path / "data").exists()


@as_root
@pytest.mark.parametrize(
    ("user", "words"),
    [("nobody-like-that", "no such user"), ("root", "--user root is root")],
)
def test_users_that_cannot_be_are_reported(environment, tmp_path, user, words):
    done = treadle(environment, "up", "--user", user)

    assert_said(done, words)
    assert not (tmp_path / "data").exists()


@as_root
def test_up_runs_as_the_user_that_is_named(environment, tmp_path):
    tmp_path.chmod(0o700)  # root's own: an ordinary user cannot enter it
    environment = {**environment, **ENVIRONMENT, "TREADLE_ROOT": "refuse"}
    argv = [python_of(ORDINARY), *TREADLE[1:], "up", "--user", "nobody"]

    done = subprocess.run(
        argv, env=environment, capture_output=True, text=True, check=False, timeout=DEADLINE
    )

    assert_said(done, str(tmp_path), "ermission denied")
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("given", "left"),
    [
        (["up", "--user", "ann", "-d"], ["up", "-d"]),
        (["up", "--user=ann"], ["up"]),
        (["up", "--json"], ["up", "--json"]),
    ],
)
def test_the_user_is_changed_once(given, left):
    assert _without_user(given) == left
