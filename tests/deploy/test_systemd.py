"""The units of deploy/systemd: read by systemd, and run by it, with the demo's job and kill -9 of them."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from settings import Settings
from tests.deploy import containers
from tests.deploy.containers import SANDBOX, Container, container
from tests.deploy.job import TOKEN, Job, answers, see_through
from tests.free_ports import free_ports
from treadle.__main__ import PARTS
from treadle.draining import CUT_SECONDS

UNITS = sorted(containers.UNITS.glob("*.service"))
TREADLE = Path(sys.executable).with_name("treadle")


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_finds_no_fault_in_a_unit(unit: Path, tmp_path: Path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: `make test-all` installs it on Debian")
    here = tmp_path / unit.name
    named = re.compile(r"^(ExecStart=|ExecStop=-)\S+/treadle ", re.M)
    text = named.sub(rf"\1{TREADLE} ", unit.read_text())
    here.write_text(text)
    done = subprocess.run(
        ("systemd-analyze", "--recursive-errors=no", "verify", here),
        capture_output=True,
        text=True,
        check=False,
    )

    assert text.count(str(TREADLE)) == (2 if unit.stem == "treadle-worker" else 1)
    assert (done.returncode, done.stderr) == (0, "")


def test_systemd_finds_no_fault_in_the_socket_of_the_api(tmp_path: Path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed: `make test-all` installs it on Debian")
    for name in ("treadle-api.socket", "treadle-api.service"):
        text = (containers.UNITS / name).read_text()
        (tmp_path / name).write_text(text.replace("/opt/treadle/bin/treadle", str(TREADLE)))
    done = subprocess.run(
        ("systemd-analyze", "--recursive-errors=no", "verify", tmp_path / "treadle-api.socket"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_each_unit_starts_a_part_of_treadle():
    started = [re.search(r"^ExecStart=\S+/treadle (\S+)", u.read_text(), re.M) for u in UNITS]
    assert {found[1] for found in started if found} == {"api", "worker", "up", "serve"}
    assert {"api", "worker"} <= set(PARTS)


def test_the_worker_has_the_time_to_move_its_work_and_to_end():
    text = next(unit for unit in UNITS if unit.stem == "treadle-worker").read_text()
    assert "\nExecStop=-/opt/treadle/bin/treadle worker drain --move\n" in text
    (limit,) = re.findall(r"^TimeoutStopSec=(\d+)$", text, re.M)
    assert int(limit) > Settings().drain_seconds + CUT_SECONDS


SETTINGS = """
install -d -o treadle /home/treadle/.config /home/treadle/.config/treadle /home/treadle/.local
cd /home/treadle/.config/treadle
printf 'api_host = "0.0.0.0"\napi_port = {port}\n' >config.toml
"""
"""What the parts and the commands read; the API is to be reached from outside of the container."""

ENGINE = """
install -d -o treadle /home/treadle/.local/bin
ln -s /opt/treadle/bin/treadle /home/treadle/.local/bin/treadle
loginctl enable-linger treadle
systemctl start user@1000.service
"""
PARTS_OF_A_SERVER = """
install -d /etc/treadle
echo TEMPORAL_ADDRESS=127.0.0.1:7233 >/etc/treadle/environment
systemd-run --quiet --unit=temporal --uid=treadle --working-directory=/home/treadle \
  /opt/treadle/bin/temporal server start-dev --headless
systemctl enable --quiet --now treadle-worker treadle-api
"""


@pytest.fixture
def host(server: str) -> Iterator[tuple[Container, int]]:
    """A machine with systemd, and the port at which its API is to answer."""
    (port,) = free_ports(1)
    options = ("--systemd=always", *SANDBOX, f"--publish=127.0.0.1:{port}:{port}")
    with container(f"treadle-test-systemd-{os.getpid()}", server, *options) as made:
        ready = "until systemctl is-system-running --wait; do sleep 0.2; done"
        made.run("sh", "-ec", ready + SETTINGS.format(port=port), user="root")
        yield made, port


@pytest.mark.e2e
@pytest.mark.timeout(900)
async def test_the_engine_of_a_user_survives_a_kill_of_it(host: tuple[Container, int]):
    machine, port = host
    machine.run("sh", "-ec", ENGINE, user="root")

    def systemctl(*words: str) -> str:
        return machine.run("systemctl", "--user", *words, XDG_RUNTIME_DIR="/run/user/1000")

    systemctl("start", "treadle")
    await answers(port, lambda: systemctl("status", "treadle"))

    async def crash() -> None:
        systemctl("kill", "--signal=KILL", "--kill-whom=main", "treadle")

    async with Job(port, machine.run("cat", TOKEN).strip()) as job:
        await see_through(job, machine, crash)
    systemctl("stop", "treadle")
    assert "Result=success" in systemctl("show", "--property=Result", "treadle")


@pytest.mark.e2e
@pytest.mark.timeout(900)
async def test_a_server_survives_a_kill_of_its_worker_and_api(host: tuple[Container, int]):
    machine, port = host
    machine.run("sh", "-ec", PARTS_OF_A_SERVER, user="root")
    units = ("treadle-worker", "treadle-api")

    def systemctl(*words: str) -> str:
        return machine.run("systemctl", *words, *units, user="root")

    await answers(port, lambda: systemctl("status"))

    async def crash() -> None:
        systemctl("kill", "--signal=KILL", "--kill-whom=main")

    async with Job(port, machine.run("cat", TOKEN).strip()) as job:
        await see_through(job, machine, crash)
    systemctl("stop")
    assert systemctl("show", "--property=Result").split() == ["Result=success"] * 2
