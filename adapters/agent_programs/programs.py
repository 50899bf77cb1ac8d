"""Where an agent's program is on this host, and which version it is; starts no process."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from adapters.agent_programs.folders import ProgramFolders
from domain.agents.profiles import AgentProfile, Install

OURS = ("${treadle}", "${treadle_agent}")
"""First words of commands that Treadle itself brings."""

_LEVELS = 8
"""How many folders up a program's package.json is looked for."""

_FIRST_LINE = 256
"""How many bytes of a script's first line are read; the kernel reads no more."""


@dataclass(frozen=True)
class Program:
    """A program that can be started: its file, folders with a Node of ours for it, its version.

    A version that can't be told is empty; `is_managed` is one that Treadle installed.
    """

    file: Path
    paths: tuple[Path, ...] = ()
    version: str = ""
    is_managed: bool = False

    @property
    def start(self) -> tuple[str, ...]:
        """What starts it: a script for Node by the Node that is meant for it, whatever the PATH has."""
        node = next((found for path in self.paths if (found := path / "node").is_file()), None)
        options = _node_options(self.file) if node else None
        return (str(self.file),) if options is None else (str(node), *options, str(self.file))


class Programs:
    """Finds agents' programs: in Treadle's own folder first, then on the PATH that agents get."""

    def __init__(self, folder: Path, path: str | None) -> None:
        self.folders = ProgramFolders(folder)
        self._path = path

    def find(self, profile: AgentProfile) -> Program | None:
        """Return the program of an agent; None where there is none, or Treadle itself brings it."""
        first = profile.command[0]
        if first in OURS:
            return None
        managed = self._managed(profile)
        if managed is not None:
            return managed
        found = which(first, path=self._path)
        if found is None:
            return None
        file = Path(found).absolute()
        return Program(file, version=_version(file, profile.install))

    def _managed(self, profile: AgentProfile) -> Program | None:
        install = profile.install
        if install is None:
            return None
        found = self.folders.installed(profile.name, install.version, install.package)
        if found is None:
            return None
        root = self.folders.root
        paths = tuple(root / path for path in found.paths)
        return Program(root / found.program, paths, found.version, is_managed=True)


def npm_name(package: str) -> str:
    """Return the name of an npm package without its version."""
    return package.rpartition("@")[0]


def pypi_name(package: str) -> str:
    """Return the name of a PyPI package without extras and version."""
    return package.partition("==")[0].partition("[")[0]


def npm_version(folder: Path, name: str) -> str:
    """Return the version in a package's folder, empty where it is another package's or none's."""
    try:
        about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        return str(about["version"]) if about["name"] == name else ""
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def pypi_version(environment: Path, name: str) -> str:
    """Return the version of a package in a Python environment, empty where it is not there."""
    wanted = _normal(name)
    for about in environment.glob("lib/python*/site-packages/*.dist-info"):
        found, _, version = about.name.removesuffix(".dist-info").partition("-")
        if _normal(found) == wanted:
            return version
    return ""


def _version(file: Path, install: Install | None) -> str:
    """Return the version of a program on the PATH by what its installer left beside it."""
    if install is None:
        return ""
    real = file.resolve()
    if install.pypi:
        return pypi_version(real.parent.parent, pypi_name(install.pypi))
    versions = (npm_version(folder, npm_name(install.npm)) for folder in real.parents[:_LEVELS])
    return next(filter(None, versions), "")


def _node_options(file: Path) -> tuple[str, ...] | None:
    """Return the options for Node that a script's first line has, None for what is no script for it."""
    try:
        with file.open("rb") as script:
            first = script.readline(_FIRST_LINE).decode(errors="replace")
    except OSError:
        return None
    if not first.startswith("#!"):
        return None
    program, *words = first.removeprefix("#!").split() or [""]
    if Path(program).name == "env":
        program, *words = [word for word in words if word != "-S"] or [""]
    return tuple(words) if Path(program).name == "node" else None


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
