"""`treadle worker drain`: end a machine's worker once what it carries out has ended, and wait for that."""

import contextlib
import os
import signal
import sys
import time
from pathlib import Path

from adapters.files.state_files import try_lock
from adapters.host import known_host
from cli.core.console import say
from settings import Settings, SettingsError, load_settings

LOOK_SECONDS = 0.2
MOVE = "--move"
"""The option for what stops a worker, such as a preStop hook: other hosts go on with its work."""
LEAST_SECONDS = 1.0
"""Two signals that come at the same time are one."""
CUT_SECONDS = 45.0
"""How long a worker that has cut its activities may take to clean up."""


def main() -> None:
    """Drain the worker of the data folder; exits with 1 where none runs, or it does not end.

    With `--move` it exits with 0 all the same, so that whoever stops the worker goes on, and it never
    takes longer than `TREADLE_DRAIN_SECONDS` and the 45 s of a worker that cleans up.
    """
    is_moving = MOVE in sys.argv
    try:
        ended = _drain(load_settings(), is_moving=is_moving)
    except SettingsError as error:
        _tell(str(error))
        ended = 1
    sys.exit(0 if is_moving else ended)


def _drain(settings: Settings, *, is_moving: bool) -> int:
    began = time.monotonic()
    if (holder := _holder(settings.data_dir / "worker.lock")) is None:
        _tell(f"no worker runs on {settings.data_dir}")
        return 1
    if is_moving and settings.drain_seconds:
        from treadle.moving import move  # what a plain drain does not need

        move(settings, known_host(settings.data_dir), _tell)
    left = max(LEAST_SECONDS, began + settings.drain_seconds - time.monotonic())
    if not _signal(holder):
        _tell("drained")
        return 0
    _tell(f"the worker (pid {holder}) has {left:.0f} s to end what it carries out")
    if is_moving:
        return _ended(settings, holder, left) and _cut(settings, holder)
    return _ended(settings, holder, left + CUT_SECONDS)


def _cut(settings: Settings, holder: int) -> int:
    """End a worker at once whose time is over: what it carries out is taken up again elsewhere, or at its next start."""
    _signal(holder)
    return _ended(settings, holder, CUT_SECONDS)


def _signal(holder: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(holder, signal.SIGTERM)
        return True
    return False


def _ended(settings: Settings, holder: int, seconds: float) -> int:
    """Wait for the end of a worker; returns 1 where it does not come in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if _holder(settings.data_dir / "worker.lock") != holder:
            _tell("drained")
            return 0
        time.sleep(LOOK_SECONDS)
    _tell(f"the worker (pid {holder}) still runs; a second SIGTERM ends it at once")
    return 1


def _holder(lock: Path) -> int | None:
    """Return the process that holds a worker's lock."""
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        if try_lock(descriptor):
            return None
        written = os.pread(descriptor, 32, 0).decode()
        return int(written) if written.isdigit() else None
    finally:
        os.close(descriptor)


def _tell(words: str) -> None:
    say(f"treadle worker drain: {words}")
