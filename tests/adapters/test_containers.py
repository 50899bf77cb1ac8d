"""Work in containers, with real podman: what is seen there, what may be changed, and what ends it all."""

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from adapters.processes.command import Command
from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.spawner import Spawner
from domain.agents.agents import SessionRole
from domain.agents.sandbox import Level, Sandbox, SandboxRules
from domain.core.errors import WorkspaceError
from domain.core.workspaces import Claim
from domain.recipes.containers import Container
from domain.recipes.errors import SetUpFailedError
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.podman_lab import DESCRIPTION, containers_of, engine_of, images_of

pytestmark = pytest.mark.e2e
SECONDS = 60
PF_EXITING = 0x4  # of a process's flags in /proc/PID/stat, see linux/sched.h


@pytest.fixture
def host(data_dir: Path, tmp_path: Path) -> Spawner:
    folders = HostFolders(data_dir, tmp_path / "programs", tmp_path / "config")
    home = {"HOME": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    return host_spawner(folders, BASE_ENVIRONMENT | home)


@pytest.fixture
def worktree(data_dir: Path) -> Path:
    folder = data_dir / "worktrees" / "w"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
async def container(
    debian: str, spawner: Spawner, data_dir: Path, worktree: Path
) -> AsyncGenerator[Container]:
    containers = containers_of(spawner, data_dir)
    yield await containers.make(worktree, debian, "app")
    await containers.remove(worktree)


def command(container: Container, worktree: Path, script: str, **more: Any) -> Command:
    values: dict[str, Any] = {"is_merged": True, "sandbox": SandboxRules().of(None, None), **more}
    return Command(("/bin/sh", "-c", script), worktree, container=container, **values)


async def said(host: Spawner, asked: Command) -> str:
    return (await host.run(asked, limit_seconds=SECONDS)).output.text()


@pytest.mark.parametrize("sandbox", [None, Sandbox(level=Level.OFF), SandboxRules().of(None, None)])
async def test_files_are_the_containers_and_the_workspace_is_the_tasks(
    host: Spawner, container: Container, worktree: Path, sandbox: Sandbox | None
) -> None:
    (Path.home() / ".of-the-host").touch()
    script = (
        f"pwd; echo in >> file; echo kept > /opt/kept; ls -a {Path.home()} {sys.prefix}/.. /root"
    )
    output = await said(host, command(container, worktree, script, sandbox=sandbox))
    assert output.splitlines()[0] == str(worktree)
    assert (worktree / "file").read_text() == "in\n"
    assert (container.root / "opt" / "kept").read_text() == "kept\n"
    assert "foreign" not in output
    assert not os.path.lexists("/opt/kept")  # noqa: ASYNC240 - on this host


async def test_what_a_command_makes_is_there_for_the_next_and_in_the_image_of_a_layer(
    host: Spawner, debian: str, spawner: Spawner, data_dir: Path, worktree: Path
) -> None:
    containers = containers_of(spawner, data_dir)
    one = await containers.make(worktree, debian, "app")
    await said(host, command(one, worktree, "echo made > /opt/made"))
    assert await said(host, command(one, worktree, "cat /opt/made")) == "made\n"
    await containers.keep_as(one, "a-layer")
    other = worktree.with_name("other")
    other.mkdir()
    two = await containers.make(other, containers.image_of("a-layer"), "app")
    assert await said(host, command(two, other, "cat /opt/made; echo x > /opt/made")) == "made\n"
    assert await said(host, command(one, worktree, "cat /opt/made")) == "made\n"
    for folder in (worktree, other):
        await containers.remove(folder)
    await containers.forget_image("a-layer")
    assert not await containers.has_image("a-layer")


async def test_who_reads_changes_neither_the_workspace_nor_the_container(
    host: Spawner, container: Container, worktree: Path
) -> None:
    sandbox = SandboxRules().of(SessionRole.REVIEWER, None)
    script = "touch a; touch /opt/b; touch /tmp/c && echo may; id -u"
    output = await said(host, command(container, worktree, script, sandbox=sandbox))
    assert "may" in output
    assert not (worktree / "a").exists()
    assert not (container.root / "opt" / "b").exists()


async def test_its_variables_are_the_images_and_its_own(
    host: Spawner, container: Container, worktree: Path
) -> None:
    asked = command(
        container, worktree, "env", environment={"MINE": "1", "PATH": "/opt/agent:/usr/x"}
    )
    lines = (await said(host, asked)).splitlines()
    assert "MINE=1" in lines
    assert "SHELL=/bin/sh" in lines
    assert any(
        line.startswith("PATH=/usr/local") and line.endswith("/bin:/opt/agent") for line in lines
    )


async def test_a_terminal_controls_its_session(
    host: Spawner, container: Container, worktree: Path
) -> None:
    asked = command(container, worktree, "exec 3<>/dev/tty && echo has one >&3", terminal=(24, 80))
    assert "has one" in await said(host, asked)


async def test_all_below_a_command_ends_with_it(
    host: Spawner, container: Container, worktree: Path
) -> None:
    script = "setsid sh -c 'echo began; sleep 4321; true' & wait"
    child = await host.start(command(container, worktree, script))
    assert await child.stdout.readline() == b"began\n"
    below = psutil.Process(child.pid).children(recursive=True)
    assert any("4321" in " ".join(process.cmdline()) for process in below)
    await child.stop()
    _, alive = await asyncio.to_thread(psutil.wait_procs, below, SECONDS)
    assert not alive


async def test_all_of_it_ends_when_the_worker_is_killed(
    container: Container, worktree: Path, data_dir: Path, tmp_path: Path
) -> None:
    values = [str(path) for path in (data_dir, tmp_path, worktree, container.root)]
    worker = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.adapters.contained_worker", container.name, *values),
        *container.enter,
        stdout=subprocess.PIPE,
    )
    assert worker.stdout is not None
    assert await worker.stdout.readline() == b"began\n"
    below = psutil.Process(worker.pid).children(recursive=True)
    assert any("4322" in " ".join(process.cmdline()) for process in below)
    worker.send_signal(signal.SIGKILL)
    await worker.wait()
    gone, alive = await asyncio.to_thread(psutil.wait_procs, below, SECONDS)
    assert gone
    assert not alive


async def test_a_newer_attempt_ends_what_an_older_one_left_in_the_container(
    host: Spawner, container: Container, worktree: Path, data_dir: Path
) -> None:
    fences = WorkspaceFences(data_dir / "fences")
    async with fences.held("w", Claim(order=1)):
        script = "setsid sh -c 'echo began; sleep 4324; true' & wait"
        child = await host.start(command(container, worktree, script))
        assert await child.stdout.readline() == b"began\n"
    below = psutil.Process(child.pid).children(recursive=True)
    async with fences.held("w", Claim(order=1, attempt=2)):
        assert not any(map(_works, below))
    await child.wait()


def _works(process: psutil.Process) -> bool:
    """Tell whether a process can still run a program.

    One in the middle of its exit can't, though it is "running" until its mounts are taken down.
    """
    with suppress(OSError):
        fields = Path("/proc", str(process.pid), "stat").read_text().rpartition(")")[2].split()
        return fields[0] != "Z" and not int(fields[6]) & PF_EXITING
    return False


async def test_only_leased_ports_can_be_listened_on(
    host: Spawner, container: Container, worktree: Path
) -> None:
    bind = "perl -MSocket -e 'socket(S,PF_INET,SOCK_STREAM,0); bind(S,sockaddr_in({},INADDR_LOOPBACK)) and print 1'"
    rules = SandboxRules().of(None, None, (23_457,))
    script = "; ".join(f"{bind.format(port)}; echo , {port}" for port in (23_457, 23_458))
    output = await said(host, command(container, worktree, script, sandbox=rules))
    assert output.split() == ["1,", "23457", ",", "23458"]


async def test_containers_of_worktrees_that_are_gone_are_removed(
    debian: str, spawner: Spawner, data_dir: Path, worktree: Path
) -> None:
    containers = containers_of(spawner, data_dir)
    other = worktree.with_name("other")
    other.mkdir()
    for folder in (worktree, other):
        await containers.make(folder, debian, "app")
    shutil.rmtree(worktree)
    await containers.sweep()
    with pytest.raises(WorkspaceError, match="has no container"):
        await containers_of(spawner, data_dir).of(worktree)
    assert (await containers.of(other)).root.is_dir()
    await containers.remove(other)


async def test_a_container_that_somebody_removed_is_made_anew(
    host: Spawner, container: Container, spawner: Spawner, data_dir: Path, worktree: Path
) -> None:
    await engine_of(spawner, data_dir).remove(container.name)
    again = await containers_of(spawner, data_dir).of(worktree)
    assert await said(host, command(again, worktree, "cat /etc/hostname; pwd"))
    assert again.name == container.name


async def test_the_workspace_is_seen_at_a_place_that_all_containers_share(
    host: Spawner, container: Container, worktree: Path
) -> None:
    script = "cd /workspaces/app && echo x > file && echo y > AGENTS.md; echo y > .claude/x"
    await said(host, command(container, worktree, script))
    assert (worktree / "file").read_text() == "x\n"
    assert not (worktree / ".claude" / "x").exists()


def describe(checkout: Path, **said: object) -> None:
    file = checkout / DESCRIPTION
    file.parent.mkdir(exist_ok=True)
    file.write_text("// our own\n" + json.dumps(said))


async def test_an_image_is_built_of_what_a_checkout_describes(
    debian: str, host: Spawner, spawner: Spawner, data_dir: Path, worktree: Path
) -> None:
    dockerfile = worktree / DESCRIPTION
    dockerfile.parent.mkdir()
    dockerfile.with_name("Dockerfile").write_text(
        f"FROM {debian}\nENV B=2\nRUN echo built > /opt/b\n"
    )
    touched = worktree.with_name("touched")
    variables = {"A": "${containerWorkspaceFolder}", "C": "${containerEnv:B}2"}
    host_command = f"touch {touched}"
    describe(
        worktree,
        build={"dockerfile": "Dockerfile"},
        remoteEnv=variables,
        initializeCommand=host_command,
    )
    containers, image = containers_of(spawner, data_dir), "localhost/treadle-test-described:latest"
    await images_of(spawner, data_dir).build(worktree, image, lambda: None)
    made = await containers.make(worktree, image, "app")
    output = await said(host, command(made, worktree, 'cat /opt/b; echo "$A $B $C"'))
    assert output == "built\n/workspaces/app 2 22\n"
    assert not touched.exists()
    await containers.remove(worktree)
    await engine_of(spawner, data_dir).remove_image(image)


@pytest.mark.parametrize(
    ("described", "why"),
    [
        ({"build": {"dockerfile": "Dockerfile", "context": "../.."}}, "outside of the repository"),
        ({"build": {"dockerfile": "Dockerfile", "context": "link"}}, "outside of the repository"),
        ({"dockerComposeFile": "compose.yaml"}, "several containers"),
        ({"build": {"dockerfile": "Dockerfile", "options": ["--volume=/:/host"]}}, "options"),
        ({"image": "localhost/no-such-image"}, "was not built"),
    ],
)
async def test_what_can_not_be_built_is_told(
    debian: str,
    spawner: Spawner,
    data_dir: Path,
    worktree: Path,
    described: dict[str, object],
    why: str,
) -> None:
    describe(worktree, **described)
    (worktree / DESCRIPTION).with_name("Dockerfile").write_text(f"FROM {debian}\n")
    (worktree / DESCRIPTION).with_name("link").symlink_to(os.sep)
    with pytest.raises(SetUpFailedError, match=why):
        await images_of(spawner, data_dir).build(worktree, "localhost/treadle-test-x", lambda: None)
