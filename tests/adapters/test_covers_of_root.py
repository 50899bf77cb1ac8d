"""Root's children cannot take a cover off: they lack the capabilities for it."""

import os

import pytest

from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.isolation import Cover
from adapters.processes.roots_only import RootsOnly, roots_only
from adapters.processes.spawner import Spawner
from domain.agents.sandbox import SandboxRules
from tests.adapters.conftest import BASE_ENVIRONMENT

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="others are kept off by modes")


@as_root
async def test_a_child_of_root_cannot_unmount_a_cover(data_dir):
    (data_dir / "token").write_text("hunter2")
    (data_dir / "worktrees").mkdir()
    spawner = Spawner(data_dir / "runs", BASE_ENVIRONMENT, cover=Cover(data_dir))
    script = f"cd /; umount -l {data_dir}; unshare -m umount -l {data_dir}; cat {data_dir}/token"

    done = await spawner.run(Command(("sh", "-c", script), data_dir / "worktrees"))

    assert done.output.text() == ""
    assert done.returncode != 0


@as_root
async def test_a_sandbox_of_root_shows_nothing_that_others_cannot_read(tmp_path):
    data, home = tmp_path / "data", tmp_path / "home"
    workspace = data / "worktrees" / "own"
    workspace.mkdir(parents=True)
    home.mkdir()
    spawner = host_spawner(
        HostFolders(data, data / "programs", tmp_path / "config"),
        {"PATH": os.environ["PATH"], "HOME": str(home)},
    )
    script = "cat /etc/shadow /etc/shadow- | grep -c ':'; ls -A /var/log /var/backups | grep -c log"
    command = Command(
        ("sh", "-c", script), workspace, sandbox=SandboxRules().of(None, None), is_merged=False
    )

    done = await spawner.run(command, limit_seconds=60)

    assert done.output.text().split() == ["0", "1"]  # the second names the folder itself
    with open("/etc/shadow") as shadow:  # noqa: ASYNC230, PTH123  (a short local file)
        assert ":" in shadow.read()


@as_root
def test_what_is_covered_goes_by_modes(tmp_path):
    for name, mode in {
        "open": 0o755,
        "closed": 0o750,
        "listed": 0o711,
        "deep/closed": 0o700,
    }.items():
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "inside").write_text("x")
        (tmp_path / name / "inside").chmod(0o600)
        (tmp_path / name).chmod(mode)
    (tmp_path / "link").symlink_to(tmp_path / "closed" / "inside")
    homes = tmp_path / "homes"
    homes.mkdir()

    found = roots_only((homes, tmp_path / "missing"), {tmp_path: 1})

    assert found == RootsOnly(
        (tmp_path / "closed", tmp_path / "deep" / "closed", homes),
        (tmp_path / "listed" / "inside", tmp_path / "open" / "inside"),
    )


@as_root
def test_what_is_gone_meanwhile_is_not_covered(tmp_path):
    (tmp_path / "secret").write_text("x")
    covers = RootsOnly((tmp_path / "gone",), (tmp_path / "secret", tmp_path / "removed"))

    assert [*covers.arguments()] == ["--ro-bind", "/dev/null", str(tmp_path / "secret")]


def test_an_ordinary_user_is_kept_off_by_modes_alone(tmp_path, monkeypatch):
    (tmp_path / "closed").mkdir(mode=0o700)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    assert roots_only((tmp_path,), {tmp_path: 3}) == RootsOnly()
