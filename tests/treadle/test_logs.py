"""Logs of an engine's processes: new at each start, rotated while they grow."""

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.treadle.conftest import sleeper
from treadle import logs
from treadle.children import end, spawn
from treadle.engine import EngineError, EngineState, log_file
from treadle.logs import OLD_LOGS, begin_log, rotate
from treadle.supervisor import Supervisor


def fresh() -> EngineState:
    return EngineState(
        pid=1, status="starting", api_url="", temporal_address="", ui_url=None, data_dir=""
    )


async def said(process, log: Path, line: str) -> None:
    """Give a child a line, and wait until it is in the log; there is no event to await."""
    process.stdin.write(line.encode())
    async with asyncio.timeout(60):
        while not log.read_text().endswith(line):  # noqa: ASYNC110, ASYNC240  (another process)
            await asyncio.sleep(0.02)


async def never(_: int) -> bool:
    return False


async def test_a_start_that_fails_differently_shows_only_its_own_error(settings):
    for error, other in (("no such journal", "port taken"), ("port taken", "no such journal")):
        supervisor = Supervisor(settings, fresh())
        part = replace(sleeper("worker", f"import sys; sys.exit({error!r})"), is_ready=never)
        with pytest.raises(EngineError, match=error) as failure:
            await supervisor.start([part])
        await supervisor.stop()
        assert other not in str(failure.value)

    log = log_file(settings, "worker")
    assert "no such journal" in log.with_name("worker.log.1").read_text()
    assert log.with_name("worker.log.1").stat().st_mode & 0o777 == 0o600


def test_as_many_older_logs_are_kept_as_promised(tmp_path: Path):
    log = tmp_path / "api.log"
    for number in range(OLD_LOGS + 3):
        log.write_text(str(number))
        begin_log(log)

    kept = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert kept == {f"api.log.{n}": str(OLD_LOGS + 3 - n) for n in range(1, OLD_LOGS + 1)}


def test_an_empty_log_is_not_put_aside(tmp_path: Path):
    log = tmp_path / "api.log"
    log.touch()
    begin_log(log)
    assert [file.name for file in tmp_path.iterdir()] == ["api.log"]


async def test_a_log_is_rotated_while_its_process_writes(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(logs, "MAX_LOG_BYTES", 10)
    log = tmp_path / "worker.log"
    echo = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"
    process = await spawn([sys.executable, "-c", echo], log, stdin=-1)
    await said(process, log, "before the rotation\n")
    rotate(log)
    await said(process, log, "after\n")
    rotate(log)
    await end(process, 5)

    assert log.read_text() == "after\n"
    aside = log.with_name("worker.log.1")
    assert aside.read_text() == "before the rotation\n"
    assert aside.stat().st_mode & 0o777 == 0o600
    assert not log.with_name("worker.log.2").exists()
