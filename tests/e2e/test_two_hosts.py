"""Two workers with data folders of their own on one Temporal and one journal: who opens what, and who is given up."""

import asyncio
import shutil
import subprocess
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from settings import environment_of
from tests.e2e.engine import DEADLINE_SECONDS, Engine
from tests.e2e.job import Job
from treadle.engine import prepare_data_dir
from treadle.parts import worker_part


def start(command: Sequence[str], environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE)


@pytest.fixture
async def beta(engine: Engine, tmp_path: Path) -> AsyncIterator["subprocess.Popen[bytes]"]:
    """A second worker, called beta, with the keys of the first."""
    first = engine.settings
    journal = f"sqlite+aiosqlite:///{first.data_dir / 'journal.db'}"
    second = first.model_copy(update={"data_dir": tmp_path / "beta", "journal_url": journal})
    prepare_data_dir(second)
    for name in ("payload.keys", "decision.key"):
        shutil.copy2(first.data_dir / name, second.data_dir / name)
    environment = {
        **engine.environment,
        **environment_of(second),
        "TREADLE_DATA_DIR": str(second.data_dir),
        "TREADLE_JOURNAL_URL": journal,
        "TREADLE_HOST_NAME": "beta",
        "TREADLE_HOST_LABELS": "gpu",
        "TREADLE_CONFIG_DIR": str(engine.config),
    }
    process = start(worker_part(second).command, environment)
    yield process
    process.kill()
    process.wait(DEADLINE_SECONDS)


async def beta_of(http: httpx.AsyncClient) -> dict[str, Any]:
    """Wait until beta is alive; returns its row."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while True:
            hosts = (await http.get("/v1/hosts")).json()["hosts"]
            if found := [host for host in hosts if host["name"] == "beta" and not host["silent"]]:
                return found[0]
            await asyncio.sleep(0.1)


async def placed_on_beta(http: httpx.AsyncClient) -> list[str]:
    return (await beta_of(http))["threads"]


async def test_a_thread_goes_to_the_host_with_its_label_and_a_lost_host_ends(
    job: Job, http: httpx.AsyncClient, beta: "subprocess.Popen[bytes]"
):
    await beta_of(http)
    body = {"repository": str(job.repository), "goal": "first", "agent": "scripted"}
    opened = await job.post("/v1/threads", {**body, "labels": ["gpu"]})
    assert opened["thread_id"] in await placed_on_beta(http)

    lost = await http.post("/v1/hosts/beta/lost", json={})
    assert (lost.json()["state"], lost.json()["generation"]) == ("lost", 2)
    _, words = await asyncio.wait_for(asyncio.to_thread(beta.communicate), DEADLINE_SECONDS)
    assert "was declared lost" in words.decode()

    refused = await http.post("/v1/threads", json={**body, "labels": ["gpu"]})
    assert (refused.status_code, refused.json()["type"]) == (422, "treadle:no_host")
    assert "beta: it is lost" in refused.json()["detail"]
