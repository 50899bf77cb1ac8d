"""The file side of a sandbox: what bubblewrap shows a process, and what of it can be written.

The root is read-only. HOME, the temporary folders and /run are empty and go with the process; tools
that lie in HOME are shown, without their logins, and caches are shown to be written and thrown away.
The workspace is writable or not; its git metadata and the protected names in it never are.
"""

import os
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from adapters.processes.container_view import HostParts, container_arguments
from adapters.processes.git_folders import common_git_folder
from adapters.processes.places import Others, SandboxPlace, workspace_arguments
from adapters.processes.roots_only import RootsOnly, roots_only
from adapters.processes.toolchains import (
    caches_in,
    is_there,
    names_of,
    outermost,
    tool_folders,
    toolchains_in,
)
from adapters.processes.unix_sockets import COVER, foreign_sockets
from domain.recipes.containers import Container

_BASE = (
    *("--dev", "/dev", "--proc", "/proc"),
    *("--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
    *("--new-session", "--die-with-parent"),
)
_CAPABILITIES = (
    *("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID", "SETPCAP"),
    *("SETFCAP", "NET_BIND_SERVICE", "SYS_CHROOT"),
)
_ROOTS_OWN = (
    *("--cap-drop", "ALL"),
    *(w for n in _CAPABILITIES for w in ("--cap-add", f"CAP_{n}")),
)
"""Root keeps what builds and package tools need: nothing that reaches out of a namespace."""

_ROOTS_PROC = (
    *("/proc/sys", "/proc/sysrq-trigger", "/proc/fs", "/proc/irq", "/proc/bus"),
    *("/proc/acpi", "/proc/scsi", "/proc/mtrr"),
)
"""What root could change the kernel by; bubblewrap covers a part of it."""

_EMPTY = tuple(Path(name) for name in ("/tmp", "/var/tmp", "/run"))  # noqa: S108 - hidden, not used
_TOOLS_SECONDS = 30
_ROOTS_PERIODS = 20
_RESOLVER = Path("/etc/resolv.conf")


def sandbox_base(container: Container | None = None) -> tuple[str, ...]:
    """Return the arguments that every sandbox begins with, on this host's files or on a container's."""
    root = ("--bind", str(container.root), "/") if container else ("--ro-bind", "/", "/")
    is_entered = container is not None and bool(container.enter)  # as root of it, who may all there
    if os.geteuid() and not is_entered:
        return (*root, *_BASE)
    return (*root, *_BASE, *_ROOTS_OWN, *(w for p in _ROOTS_PROC for w in ("--ro-bind-try", p, p)))


class SandboxUnavailableError(OSError):
    """A sandbox cannot be made on this host; the message says what is missing and what to do."""


@dataclass(frozen=True)
class HostView:
    """What sandboxed processes of this host see outside of their workspaces.

    `reads` is Treadle's own installation and what it installed, `writes` more folders that the user
    lets them write; of `data_dir` and `hidden` they see nothing but what is theirs. `git_identity`
    is a git configuration with the user's name in it.
    """

    home: Path | None
    data_dir: Path
    programs: str
    reads: tuple[Path, ...] = ()
    writes: tuple[Path, ...] = ()
    hidden: tuple[Path, ...] = ()
    git_identity: Path | None = None

    @property
    def environment(self) -> dict[str, str]:
        """What a process gets in place of what it has of the host."""
        home = {} if self._home else {"HOME": "/tmp"}  # noqa: S108 - a private one
        return {"TMPDIR": "/tmp", "GIT_OPTIONAL_LOCKS": "0", **home}  # noqa: S108 - as above

    def arguments(
        self, seat: SandboxPlace, masks: Iterable[Path], others: Others = (), *, has_overlays: bool
    ) -> tuple[str, ...]:
        """Return bubblewrap's arguments for a process, in the order in which they lie on each other.

        `masks` are what is read-only in its workspace, `others` the places beside with theirs.
        """
        if seat.container is not None:
            shown = workspace_arguments((*seat.in_container(masks), *others))
            return self._in_container(seat.container, seat, shown, has_overlays=has_overlays)
        data = self.data_dir.resolve()
        mine = [_moved(path, self.data_dir, data) for path in (*seat.own, seat.workspace)]
        own, workspace = mine[:-1], mine[-1].resolve()
        common = common_git_folder(workspace)
        period = _period()
        tools = self._tools(period)
        return (
            *self._roots_only(period // _ROOTS_PERIODS).arguments(),
            *_each("--tmpfs", self._empty),
            *_pairs("--ro-bind-try", tools),
            *(self._caches(period) if has_overlays else ()),
            *_pairs("--ro-bind", _outside(self._shown(seat.reads), tools)),
            *self._identity(),
            *_pairs("--bind", _existing(self.writes)),
            *_pairs("--bind", [path for path in own if not path.is_relative_to(data)]),
            *_each("--tmpfs", [folder.resolve() for folder in self.hidden if folder.is_dir()]),
            *("--tmpfs", str(data)),
            *_pairs(
                "--ro-bind",
                outermost(
                    p for p in _existing((*self.reads, *seat.reads)) if p.is_relative_to(data)
                ),
            ),
            *_shared(seat.caches, has_overlays=has_overlays),
            *_pairs("--bind", [path for path in own if path.is_relative_to(data)]),
            *workspace_arguments(((seat, masks), *others)),
            *self._covers(seat, (*own, *tools, *([common] if common else []))),
            *("--remount-ro", str(data)),
        )

    def _in_container(
        self, container: Container, seat: SandboxPlace, shown: Iterable[str], *, has_overlays: bool
    ) -> tuple[str, ...]:
        """As `arguments`, on a container's files; `shown` are those that show its workspaces."""
        parts = HostParts(
            writes=(*self.writes, *seat.own),
            reads=(*self.reads, *seat.reads),
            workspace=tuple(shown),
            home=self.home,
            git_identity=self.git_identity,
            caches=tuple(_shared(seat.caches, has_overlays=has_overlays)),
            is_writable=seat.is_writable,
        )
        return container_arguments(container, parts)

    def _covers(self, seat: SandboxPlace, shown: Iterable[Path]) -> Iterator[str]:
        """Cover the sockets of servers of this host; those in the workspace are its own."""
        if seat.asks_servers:
            return
        data, workspace = self.data_dir.resolve(), seat.workspace.resolve()
        hidden = [*self._empty, *(folder.resolve() for folder in self.hidden), data]
        visible = [*shown, *_existing((*self.reads, *seat.reads, *self.writes))]
        for path in foreign_sockets(hidden, visible, (workspace, seat.seen(workspace))):
            yield from ("--ro-bind-try", COVER, str(path))

    @cached_property
    def _home(self) -> Path | None:
        """The home to hide: none where there is none, or where all the system lies in it."""
        home = self.home.resolve() if self.home else None
        return home if home and home.is_dir() and len(home.parts) > 1 else None

    @cached_property
    def _empty(self) -> list[Path]:
        folders = [folder.resolve() for folder in _EMPTY if folder.is_dir()]
        return outermost([*folders, *([self._home] if self._home else [])])

    def _shown(self, wanted: Iterable[Path]) -> list[Path]:
        """Return what is shown, read-only, of the folders that are empty otherwise."""
        hidden = [*self._empty, *self._roots_only(_period() // _ROOTS_PERIODS).folders]
        return [path for path in outermost(_existing(wanted)) if _is_shown(path, hidden)]

    @lru_cache(maxsize=2)  # noqa: B019 - one for each worker
    def _tools(self, period: int) -> list[Path]:
        """Return the tools that are shown; looked for anew in each period."""
        del period
        known = [*toolchains_in(self._home)] if self._home else []
        return self._shown((*tool_folders(self.programs), *self.reads, *known, _RESOLVER))

    @lru_cache(maxsize=2)  # noqa: B019 - as above
    def _roots_only(self, period: int) -> RootsOnly:
        """Return what a run of root hides beside; looked for anew in each period."""
        del period
        return roots_only()

    @lru_cache(maxsize=2)  # noqa: B019 - as above
    def _caches(self, period: int) -> tuple[str, ...]:
        """Show caches to be written and thrown away; without overlays they start empty."""
        del period
        caches = caches_in(self._home) if self._home else ()
        overlays = (("--overlay-src", str(one), "--tmp-overlay", str(one)) for one in caches)
        return tuple(word for words in overlays for word in words)

    def _identity(self) -> Iterator[str]:
        """Give git the user's name; a home that lies in a folder that is shown is emptied first."""
        if self._home and any(map(self._home.is_relative_to, self._shown(self.reads))):
            yield from ("--tmpfs", str(self._home))
        if self._home and self.git_identity and self.git_identity.is_file():
            yield from ("--ro-bind", str(self.git_identity), str(self._home / ".gitconfig"))


def _shared(folders: Iterable[Path], *, has_overlays: bool) -> Iterator[str]:
    """Show folders that others use too: what is written there is thrown away, or refused."""
    for folder in _existing(folders):
        if has_overlays:
            yield from ("--overlay-src", str(folder), "--tmp-overlay", str(folder))
        else:
            yield from ("--ro-bind", str(folder), str(folder))


def _period() -> int:
    return round(time.monotonic() / _TOOLS_SECONDS)


def _moved(path: Path, from_folder: Path, to_folder: Path) -> Path:
    is_below = path.is_relative_to(from_folder)
    return to_folder / path.relative_to(from_folder) if is_below else path.resolve()


def _is_shown(path: Path, hidden: list[Path]) -> bool:
    """Tell whether a path lies in a hidden folder; such a folder as a whole is never shown."""
    return any(path != folder and path.is_relative_to(folder) for folder in hidden)


def _outside(paths: Iterable[Path], folders: Iterable[Path]) -> list[Path]:
    """Return the paths that lie in none of the folders: in these a mount could not follow a link."""
    known = [*folders]
    return [path for path in paths if not any(map(path.is_relative_to, known))]


def _existing(paths: Iterable[Path]) -> list[Path]:
    """Return what exists, by all its names."""
    return [name for path in paths if is_there(path) for name in names_of(path)]


def _each(option: str, paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield from (option, str(path))


def _pairs(option: str, paths: Iterable[Path]) -> Iterator[str]:
    for path in paths:
        yield from (option, str(path), str(path))
