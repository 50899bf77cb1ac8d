"""`treadle up` stays a light process: what its parts need is loaded by them alone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.cluster import configured_cluster
from adapters.journal import open_known_keys
from adapters.key_fingerprints import ForeignKeysError, Keys, check_keys_in_file
from settings import Settings
from treadle.engine import is_restore_left

HEAVY = (
    "sqlalchemy",
    "temporalio",
    "fastapi",
    "starlette",
    "cryptography",
    "google",
    "mcp",
    "workflows",
)
START = f"""
import asyncio, sys
from settings import load_settings
from treadle import up
settings = load_settings()
up.prepare_data_dir(settings)
assert not up._finish_restore(settings)
assert not up.check_databases(settings)
asyncio.run(up._check_keys(settings, is_loss_accepted=False))
supervisor = up.Supervisor(settings, up._fresh_state(settings))
parts = (up.temporal_part(settings), up.worker_part(settings), up.api_part(settings))
for part in parts:
    assert not asyncio.run(part.is_ready(1))
    asyncio.run(part.has_needs())
assert settings.payload_key_file.exists()
print(*(name for name in {HEAVY!r} if name in sys.modules))
"""


def test_starting_an_engine_loads_no_library_of_its_parts(tmp_path: Path):
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TEMPORAL_")}
    places = {"TREADLE_DATA_DIR": str(tmp_path / "data"), "XDG_CONFIG_HOME": str(tmp_path / "none")}
    ended = subprocess.run(
        [sys.executable, "-c", START],
        env={**clean, **places, "TREADLE_API_PORT": "1", "TREADLE_TEMPORAL_PORT": "2"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
    assert not ended.stdout.split()


@pytest.mark.parametrize("module", ["worker", "api.server"])
def test_a_part_loads_neither_httpx_own_command_line_nor_the_protocol_of_tools(module: str):
    program = f"""
import sys
from treadle.__main__ import _find_packages
_find_packages()
import {module}
print(*(name for name in ("rich", "pygments", "mcp") if name in sys.modules))
"""
    told = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not told.stdout.split()


async def test_keys_are_compared_with_those_in_the_file_and_none_is_noted(tmp_path: Path):
    file = tmp_path / "journal.db"
    ours, others = (Keys({"k1": letter * 32}, b"c" * 32) for letter in (b"o", b"x"))
    async with open_known_keys(f"sqlite:///{file}"):
        check_keys_in_file(file, "a", others)
    check_keys_in_file(file, "a", ours)
    async with open_known_keys(f"sqlite:///{file}") as known:
        assert not await known.is_known("k1")
        await known.check("a", ours)
    check_keys_in_file(file, "a", ours)
    with pytest.raises(ForeignKeysError, match=r"payload\.keys differs"):
        check_keys_in_file(file, "a", others)


def test_a_cluster_is_found_in_the_environment_and_in_a_file_of_profiles(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for name in [name for name in os.environ if name.startswith("TEMPORAL_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert configured_cluster() == (None, "default")
    (tmp_path / "temporalio").mkdir()
    profiles = tmp_path / "temporalio" / "temporal.toml"
    profiles.write_text('[profile.default]\naddress = "file:7233"\nnamespace = "n"\n')
    assert configured_cluster() == ("file:7233", "n")
    monkeypatch.setenv("TEMPORAL_ADDRESS", "environment:7233")
    assert configured_cluster() == ("environment:7233", "n")


@pytest.mark.parametrize("name", ["restored", ".restored.0123abcd"])
def test_a_restore_that_was_cut_off_is_seen(tmp_path: Path, name: str):
    settings = Settings(data_dir=tmp_path)
    assert not is_restore_left(settings)
    (tmp_path / name).mkdir()
    assert is_restore_left(settings)


@pytest.mark.parametrize("system", ["darwin", "win32"])
def test_another_system_than_linux_gets_a_sentence(system: str):
    start = f"import sys; sys.platform = {system!r}; from treadle.__main__ import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", start], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "it needs Linux" in done.stderr
    assert "Traceback" not in done.stderr
