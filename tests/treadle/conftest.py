"""An engine whose parts are tiny real processes."""

import json
import sys
from pathlib import Path

import psutil
import pytest

from settings import Settings
from treadle.engine import EngineState, prepare_data_dir
from treadle.supervisor import Part, Supervisor


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    found = Settings(data_dir=tmp_path / "data")
    prepare_data_dir(found)
    return found


@pytest.fixture
def supervisor(settings: Settings) -> Supervisor:
    state = EngineState(
        pid=1, status="starting", api_url="", temporal_address="", ui_url=None, data_dir=""
    )
    return Supervisor(settings, state)


def sleeper(name: str, code: str = "import time; time.sleep(600)") -> Part:
    async def is_ready(pid: int) -> bool:
        return psutil.pid_exists(pid)

    return Part(name, (sys.executable, "-c", code), "nowhere", is_ready, patience=5)


def saved(settings: Settings) -> dict[str, object]:
    return json.loads((settings.data_dir / "engine.json").read_text())
