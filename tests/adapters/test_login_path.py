"""The PATH of agents and steps: the login shell's, with what its user put first, and nothing of ours."""

import sys
from pathlib import Path

import pytest

from adapters.agent_programs.host import Host
from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, with_users_path
from adapters.processes.login_path import children_path, login_path, note_path, noted_path
from adapters.processes.spawner import Spawner

OURS = str(Path(sys.prefix) / "bin")
PLAIN = "/usr/bin:/bin"
PATIENCE = 60.0


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def spawner(tmp_path):
    return Spawner(tmp_path / "data" / "runs", {"PATH": PLAIN})


@pytest.fixture
def shell(tmp_path, home):
    """Makes a login shell with a PATH of its own, which says more than it is asked for."""

    def made(path: str, first: str = "") -> dict[str, str]:
        file = tmp_path / "shell"
        lines = ("#!/bin/sh", "echo Welcome.; echo Careful. >&2", first, f"PATH={path}")
        file.write_text("\n".join((*lines, "export PATH", 'eval "$4"', "echo Goodbye.")))
        file.chmod(0o755)
        return {"SHELL": str(file), "HOME": str(home), "PATH": PLAIN}

    return made


@pytest.fixture
def apart(monkeypatch):
    """Treadle in an environment of its own."""
    monkeypatch.setattr(sys, "base_prefix", "/usr")


@pytest.mark.parametrize(
    ("own", "login", "merged"),
    [
        ("/usr/bin:/bin", "/user/bin:/usr/bin:/bin", "/user/bin:/usr/bin:/bin"),  # a service's
        ("/env/bin:/usr/bin", "/usr/bin:/games", "/env/bin:/usr/bin:/games"),  # put first by hand
        ("/usr/bin:/last", "/user/bin:/usr/bin", "/user/bin:/usr/bin:/last"),
        ("/a:/a::/b", "", "/a:/b"),
    ],
)
def test_what_was_put_first_by_hand_stays_first(own, login, merged):
    assert children_path(own, login) == merged


def test_the_environment_of_treadle_itself_is_nobody_elses(apart):
    assert children_path(f"{OURS}:{OURS}/:/usr/bin", "/usr/bin") == "/usr/bin"
    assert children_path(f"{OURS}:/usr/bin", "") == "/usr/bin"


def test_a_user_may_have_it_on_the_path_of_their_own(apart):
    assert children_path("/usr/bin", f"{OURS}:/usr/bin") == f"{OURS}:/usr/bin"


def test_a_machines_own_python_is_not_taken_for_ours(monkeypatch):
    monkeypatch.setattr(sys, "base_prefix", sys.prefix)
    assert children_path(f"{OURS}:/usr/bin", "") == f"{OURS}:/usr/bin"


async def test_a_login_shell_is_asked_whatever_else_it_says(spawner, shell):
    environment = shell("/user/bin:relative:/usr/bin:/bin")
    assert await login_path(spawner, environment, PATIENCE) == "/user/bin:/usr/bin:/bin"


async def test_the_workers_own_path_is_not_handed_to_the_login_shell(spawner, shell):
    environment = {**shell("/user/bin:$PATH"), "PATH": f"{OURS}:{PLAIN}"}
    assert OURS not in (await login_path(spawner, environment, PATIENCE)).split(":")


@pytest.mark.parametrize("first", ["exit 3", "exec sleep 1000", "printenv() { :; }"])
async def test_a_shell_that_does_not_say_it_is_done_without(spawner, shell, first):
    environment = shell("/user/bin", first)
    assert await login_path(spawner, environment, limit_seconds=1) == ""


@pytest.mark.parametrize("name", ["/no/such/shell", "relative", "/bin/false", "/"])
async def test_a_user_without_a_login_shell_keeps_the_workers_path(spawner, shell, tmp_path, name):
    environment = {**shell("/user/bin"), "SHELL": name, "PATH": "/mine:/bin"}
    assert await note_path(spawner, environment, tmp_path / "data", PATIENCE) == "/mine:/bin"


async def test_children_and_lists_of_agents_have_the_same_path(spawner, shell, tmp_path, home):
    data = tmp_path / "data"
    environment = shell(f"/user/bin:{PLAIN}")
    host = Host(data, tmp_path / "programs", home, lambda names: dict.fromkeys(names, PLAIN))
    assert host.path == PLAIN

    path = await note_path(spawner, environment, data, PATIENCE)

    assert path == f"/user/bin:{PLAIN}"
    assert host.path == noted_path(data, None) == path
    assert host.variables(("PATH", "OTHER")) == {"PATH": path, "OTHER": PLAIN}
    assert host.variables(("OTHER",)) == {"OTHER": PLAIN}
    assert (data / "sandbox" / "path").stat().st_mode & 0o077 == 0


async def test_what_a_worker_starts_finds_the_users_programs_first(shell, tmp_path):
    folders = HostFolders(tmp_path / "data", tmp_path / "programs", tmp_path / "config")
    environment = {**shell(f"/user/bin:{PLAIN}"), "PATH": f"/by/hand:{PLAIN}"}
    spawner = await with_users_path(folders, environment, PATIENCE)
    said = await spawner.run(Command(("printenv", "PATH"), tmp_path))
    assert said.output.text().strip() == f"/user/bin:/by/hand:{PLAIN}"
