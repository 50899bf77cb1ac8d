"""Starts an engine with stories and keeps it up: `python -m tests.page.stories --data DIR`."""

import argparse
import asyncio
import signal
import subprocess
import sys
import time
import traceback
from pathlib import Path

from settings import Settings, environment_of
from tests.e2e.engine import http_of
from tests.page.stories.filling import STORIES, fill
from tests.page.stories.place import Place
from treadle.engine import LAUNCH, running_engine

START_SECONDS = 120
MANY_TURNS = "40"
LONG = "86400"


def main() -> None:
    """Start the engine unless one runs in the folder, fill it, and wait until it ends."""
    said = _arguments()
    settings = Settings(
        data_dir=said.data,
        api_port=said.port,
        temporal_port=said.temporal,
        temporal_ui_port=said.ui,
        max_turns=int(MANY_TURNS),
        turn_idle_seconds=int(LONG),
        idle_agent_seconds=120,
        sandbox_writes=str(said.data.parent / "outside"),
    )
    (said.data.parent / "outside").mkdir(parents=True, exist_ok=True)
    config = said.data.parent / "config"
    (config / "agents").mkdir(parents=True, exist_ok=True)
    if running_engine(settings) is not None:
        asyncio.run(_fill(settings, config, said.fill))
        return
    environment = {**environment_of(settings), "TREADLE_CONFIG_DIR": str(config)}
    environment["TREADLE_CIRCLING_CALLS_STOP"] = "0"  # one story makes ten thousand
    process = subprocess.Popen([*LAUNCH, "up"], env=environment)
    signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        _await_engine(settings, process)
        asyncio.run(_fill(settings, config, said.fill))
        _say(f"stories: {settings.api_url}")
        process.wait()
    finally:
        process.terminate()
        process.wait()


def _arguments() -> argparse.Namespace:
    usual = Settings()
    parser = argparse.ArgumentParser(prog="stories", description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(".stories/data").resolve())
    parser.add_argument("--port", type=int, default=usual.api_port)
    parser.add_argument("--temporal", type=int, default=usual.temporal_port)
    parser.add_argument("--ui", type=int, default=usual.temporal_ui_port)
    parser.add_argument("--fill", action="append", choices=[s.__name__ for s in STORIES])
    return parser.parse_args()


def _await_engine(settings: Settings, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while (state := running_engine(settings)) is None or state.status != "running":
        if process.poll() is not None or time.monotonic() > deadline:
            raise SystemExit("the engine did not start")
        time.sleep(0.2)


async def _fill(settings: Settings, config: Path, names: list[str] | None) -> None:
    folder = settings.data_dir.parent / "repositories"
    folder.mkdir(exist_ok=True)
    async with http_of(settings) as http:
        for story, error in (await fill(Place(http, folder, config), names)).items():
            _say(f"story {story} failed: {error!r}")
            traceback.print_exception(error)


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


main()
