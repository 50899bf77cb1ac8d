"""A card of a real engine arrives at a webhook once, over a killed worker, and a test goes the same way."""

import asyncio

import pytest
from standardwebhooks import Webhook

from tests.adapters.news_lab import sink
from tests.e2e.engine import Engine
from tests.e2e.job import Job

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

KEY = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


@pytest.fixture
async def receiver():
    async with sink() as found:
        yield found


@pytest.fixture
async def engine(tmp_path, receiver):
    table = {"name": "hook", "kind": "webhook", "url": receiver.url, "secret_env": "HOOK_KEY"}
    for name in ("own", "job"):
        (tmp_path / name).mkdir()
    engine = Engine(tmp_path / "own", news=[table])
    engine.environment["HOOK_KEY"] = KEY
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


async def test_a_plan_that_waits_is_told_once_over_a_killed_worker(engine, receiver, tmp_path):
    async with engine.http() as http:
        job = Job(engine, http, tmp_path / "job")
        await job.open()
        await job.seen("plan_proposed")
        async with asyncio.timeout(60):
            await receiver.got.wait()
        engine.kill("worker")
        await engine.start("worker")
        answer = (await http.post("/v1/news/channels/hook/test", json={})).json()
        assert answer == {"channel": "hook", "state": "sent", "reason": ""}
        told = [Webhook(KEY).verify(body, headers) for _, headers, body in receiver.requests]
        # killed before it noted that the plan was sent, it sends that again under the same id
        ids = [headers["webhook-id"] for _, headers, _ in receiver.requests]
        once = {name: each["type"] for name, each in zip(ids, told, strict=True)}
        assert sorted(once.values()) == ["inbox.plan", "inbox.test"]
        assert told[0]["data"]["link"].endswith(f"/?item={job.thread}%23plan")
        assert engine.settings.api_url in told[0]["data"]["link"]
