"""A process to start, and how it ended."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import which

from adapters.egress.doors import Gate
from adapters.processes.capped_output import CappedOutput
from adapters.processes.places import SandboxPlace
from domain.agents.sandbox import Level, Sandbox
from domain.core.network import Network
from domain.recipes.containers import Container
from domain.recipes.ports import Surroundings


@dataclass(frozen=True)
class Command:
    """A process to start: `environment` comes on top of the spawner's base, nothing else does.

    `is_brief` marks plumbing that ends by itself within moments (git's, mostly): it needs neither
    a namespace nor an entry in the ledger. `is_merged` sends standard error into the output. With a
    `terminal`, its rows and columns, it has that in place of pipes; in a namespace it controls it, too.
    Of Treadle's data a child sees `cwd` and `writes`; one that is `is_uncovered` sees all of it.
    In a namespace it sees `cwd`, or its workspace, as `shown_at`: what is there really, it does not.
    `sandbox` confines it, where it is not None or off: then it writes to its workspace (`cwd` unless
    it is named), if the level lets it, and to `writes`, and sees `reads` although they lie in HOME; its
    `gate` is asked for hosts that it does not list. What a confined one writes to `caches` is thrown away with
    it where overlays can be made, else it cannot write there. `path` are folders of its workspace that
    come first in its PATH; its own program is looked for there last. In a `container` it has that one's
    files in place of this host's; the program is found there, too. `beside` are the workspaces of other
    repositories, each with where it is seen: it has there the rights that it has in its own.
    """

    argv: tuple[str, ...]
    cwd: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    is_brief: bool = False
    is_merged: bool = False
    is_uncovered: bool = False
    terminal: tuple[int, int] | None = None
    sandbox: Sandbox | None = None
    workspace: Path | None = None
    writes: tuple[Path, ...] = ()
    reads: tuple[Path, ...] = ()
    shown_at: Path | None = None
    gate: Gate | None = None
    caches: tuple[Path, ...] = ()
    path: tuple[str, ...] = ()
    container: Container | None = None
    beside: tuple[tuple[Path, Path], ...] = ()

    def within(self, around: Surroundings) -> "Command":
        """Return it with what the recipe of its workspace gives; its own variables come first."""
        return replace(
            self,
            environment={**around.variables, **self.environment},
            caches=around.caches,
            reads=(*self.reads, *around.reads),
            path=around.path,
            container=around.container,
            beside=self.beside or around.workspaces,
        )

    @property
    def seat(self) -> SandboxPlace:
        """Where it works, if it is confined."""
        is_writable = self.sandbox is None or self.sandbox.level is not Level.READ_ONLY
        return SandboxPlace(
            self.workspace or self.cwd,
            is_writable,
            self.writes,
            self.reads,
            self.shown_at,
            caches=self.caches,
            container=self.container,
            beside=self.beside,
            asks_servers=self.sandbox is not None and self.sandbox.network is Network.HOST,
        )

    @property
    def folders(self) -> list[str]:
        """Where the folders of its `path` are."""
        top = self.workspace or self.cwd
        return [str(top / folder) for folder in self.path]

    @property
    def is_in_workspace(self) -> bool:
        """Whether the program is a file where it works."""
        name = self.argv[0]
        return "/" in name and (self.cwd / name).is_relative_to(self.cwd)

    def program(self, path: str | None) -> str:
        """Return the file to run: bubblewrap's own words for a missing one are no use to anybody.

        Raises:
            OSError: There is none, or it is not executable.
        """
        name = self.argv[0]
        if not self.cwd.is_dir():
            raise FileNotFoundError(f"no such directory: {self.cwd}")
        if "/" in name:
            file = self.cwd / name
            if not file.is_file():
                raise FileNotFoundError(f"no such program: {file}")
            if which(str(file)) is None:
                raise PermissionError(f"not executable: {file} (chmod +x it)")
            return str(file)
        found = which(name, path=path) or which(name, path=os.pathsep.join(self.folders))
        if found is None:
            raise FileNotFoundError(f"no such program: {name!r} is not in PATH ({path})")
        return found


@dataclass(frozen=True)
class Finished:
    """How a process ended: by exit code, by a signal, or at its time limit (then both are None)."""

    returncode: int | None
    signal: int | None
    is_timed_out: bool
    output: CappedOutput
    errors: str
