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


async def test_a_worker_that_is_killed_before_it_notes_an_answer_sends_the_same_id_again(
    engine, receiver, tmp_path
):
    async with engine.http() as http:
        job = Job(engine, http, tmp_path / "job")
        receiver.hold()
        await job.open()
        await job.seen("plan_proposed")
        async with asyncio.timeout(60):
            await receiver.got.wait()
        engine.kill("worker")  # it has sent the plan, and nobody has answered
        receiver.release()
        await engine.start("worker")
        answer = (await http.post("/v1/news/channels/hook/test", json={})).json()
        assert answer == {"channel": "hook", "state": "sent", "reason": ""}
        async with asyncio.timeout(60):
            while len(receiver.requests) < 3:
                receiver.got.clear()
                await receiver.got.wait()
        told = [Webhook(KEY).verify(body, headers) for _, headers, body in receiver.requests]
        ids = [headers["webhook-id"] for _, headers, _ in receiver.requests]
        plans, tests = (
            [n for n, e in zip(ids, told, strict=True) if e["type"] == kind]
            for kind in ("inbox.plan", "inbox.test")
        )
        assert plans == [ids[0], ids[0]]
        assert len(tests) == 1
        assert told[0]["data"]["link"].endswith(f"/?item={job.thread}%23plan")
        assert engine.settings.page_url in told[0]["data"]["link"]
