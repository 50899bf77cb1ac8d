"""Requests that are under way when the API ends: they are to be sent again, and not a fault of the server."""

import asyncio

from tests.api.serving import serving


async def test_what_is_cut_off_is_answered_as_not_confirmed(settings, monkeypatch):
    async with serving(settings) as (journal, http, server):
        begun = asyncio.Event()

        async def hang(_: object) -> None:
            begun.set()
            await asyncio.Event().wait()

        server.config.timeout_graceful_shutdown = 0.1
        monkeypatch.setattr(journal, "threads", hang)
        asking = asyncio.create_task(http.get("/v1/threads"))
        await begun.wait()
        server.should_exit = True
        answer = await asking

    assert answer.status_code == 503
    assert answer.json()["type"] == "treadle:not_confirmed"
    assert answer.headers["Retry-After"] == "1"
