"""The file side of a process in a container: that one's files, and what of this host is the process's own.

The process is no child of the container's engine: it starts as all others do, and so it is bound to its
workspace's fence, confined, watched and ended as they are. Only its root is the container's, whose files
it may change. What this host has where an image has its system is not shown.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from adapters.processes.toolchains import is_there, outermost
from domain.recipes.containers import Container

_SYSTEM = tuple(map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc")))
_NAMES = tuple(map(Path, ("/etc/resolv.conf", "/etc/hosts")))
_OF_THE_HOST = frozenset({"PATH", "SHELL", "LANG", "LC_ALL"})
_USUAL = {"LANG": "C.UTF-8", "SHELL": "/bin/sh"}
CONTROLLING = (
    *("/bin/sh", "-c", 'command -v setsid >/dev/null && exec setsid -c "$@"; exec "$@"', "treadle"),
)
"""What has a program in a container control its terminal, where the image has what does that."""

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
"""What images have that say nothing of it."""


@dataclass(frozen=True)
class HostParts:
    """What of this host a process in a container has: folders, and files by where they are seen.

    `workspace` are bubblewrap's arguments for it and what lies on it; `home` is the folder of HOME.
    """

    writes: tuple[Path, ...]
    reads: tuple[Path, ...]
    workspace: tuple[str, ...]
    home: Path | None = None
    git_identity: Path | None = None
    caches: tuple[str, ...] = ()
    is_writable: bool = True


def container_arguments(container: Container, parts: HostParts) -> tuple[str, ...]:
    """Return bubblewrap's arguments that follow those for the container's root.

    Who only reads in their workspace reads the container's files, too.
    """
    identity = parts.git_identity
    home = str(parts.home) if parts.home else ""
    return (
        *("--tmpfs", "/tmp"),  # noqa: S108 - a private one
        *(("--dir", home) if home else ()),
        *_each("--ro-bind-try", (name for name in _NAMES if not _is_link(container, name))),
        *_each("--ro-bind", outermost(p for p in parts.reads if is_there(p) and not is_system(p))),
        *(
            ("--ro-bind", str(identity), f"{home}/.gitconfig")
            if home and identity and identity.is_file()
            else ()
        ),
        *_each("--bind", (p for p in parts.writes if is_there(p) and not is_system(p))),
        *parts.caches,
        *parts.workspace,
        *(() if parts.is_writable else ("--remount-ro", "/")),
    )


def container_environment(
    base: Mapping[str, str], container: Container, own: Mapping[str, str]
) -> dict[str, str]:
    """Return what a process in a container knows: its own goes before the image's, and that before the host's.

    Programs are the image's; folders of this host that the process's own PATH names come after them.
    """
    host = {name: value for name, value in base.items() if name not in _OF_THE_HOST}
    known = {**_USUAL, **host, **container.environment, **own}
    folders = [container.environment.get("PATH", _PATH)]
    if "PATH" in own:
        usual = base.get("PATH", "").split(os.pathsep)
        folders += [
            folder
            for folder in own["PATH"].split(os.pathsep)
            if folder not in usual and not is_system(Path(folder))
        ]
    return known | {"PATH": os.pathsep.join(folders)}


def is_system(path: Path) -> bool:
    """Tell whether a path lies where an image has its system."""
    return len(path.parts) < 2 or any(map(path.is_relative_to, _SYSTEM))  # noqa: PLR2004 - the root


def _is_link(container: Container, name: Path) -> bool:
    return (container.root / name.relative_to("/")).is_symlink()


def _each(option: str, paths: Iterable[Path]) -> tuple[str, ...]:
    return tuple(word for path in paths for word in (option, str(path), str(path)))
