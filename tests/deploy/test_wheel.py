"""The wheel alone, in an empty folder: what `pip install` and `uvx` give a person."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.deploy.wheels import UV, build_wheel

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(tmp_path_factory.mktemp("wheel"))


def environment(home: Path) -> dict[str, str]:
    """Return that of a person who has nothing but Python and git."""
    home.mkdir()
    network = ("SSL", "PIP", "UV", "NODE", "REQUESTS", "HTTP", "http", "NO_PROXY", "no_proxy")
    kept = {name: value for name, value in os.environ.items() if name.startswith(network)}
    return {**kept, "HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8"}


def see_demo(command: list[str | Path], folder: Path, home: Path) -> None:
    """Run the demo by a command and check that its job is done."""
    folder.mkdir()
    options = {"cwd": folder, "env": environment(home), "capture_output": True, "text": True}
    done = subprocess.run([*command, "demo"], check=False, **options)
    told = done.stdout + done.stderr
    assert done.returncode == 0, told
    assert "The merged branch, in a fresh clone:" in told


def test_the_demo_runs_from_what_pip_installs(wheel: Path, tmp_path: Path):
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    bin_folder = tmp_path / "venv" / "bin"
    install = ("-m", "pip", "install", "--quiet", "--no-compile")  # what is run is compiled then
    package = f"treadle[postgres] @ {wheel.as_uri()}"
    subprocess.run([bin_folder / "python", *install, package], check=True, cwd=tmp_path)
    see_demo([bin_folder / "treadle"], tmp_path / "empty", tmp_path / "home")


def test_the_demo_runs_by_uvx(wheel: Path, tmp_path: Path):
    command = [UV, "tool", "run", "--python", sys.executable, "--from", wheel, "treadle"]
    see_demo(command, tmp_path / "empty", tmp_path / "home")
