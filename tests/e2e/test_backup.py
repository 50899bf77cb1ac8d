"""A backup made while a job runs: after all is lost but the repository, the job goes on from it."""

import shutil
from pathlib import Path

import pytest

from tests.e2e.engine import Engine
from tests.e2e.job import Job
from treadle.backup import make_backup
from treadle.restore import restore_backup

pytestmark = pytest.mark.e2e


async def test_a_job_goes_on_from_a_backup_at_its_gate(tmp_path: Path):
    for folder in ("engine", "job"):
        (tmp_path / folder).mkdir()
    engine = Engine(tmp_path / "engine")
    await engine.start("temporal", "api", "worker")
    try:
        async with engine.http() as http:
            job = Job(engine, http, tmp_path / "job")
            await job.begin()
            gate = await job.to_the_gate()
        make_backup(engine.settings, tmp_path / "saved.tar")
        engine.kill("worker", "api", "temporal")
        await engine.emptied()  # an agent that dies may write there still
        shutil.rmtree(engine.settings.data_dir)
        engine.settings.data_dir.mkdir(mode=0o700)
        (engine.settings.data_dir / "logs").mkdir()
        restore_backup(engine.settings, tmp_path / "saved.tar", is_forced=False)
        await engine.start("temporal", "api", "worker")
        async with engine.http() as http:
            job.http = http
            await job.approve(gate)
            await job.seen("plan_completed")
    finally:
        engine.stop()
