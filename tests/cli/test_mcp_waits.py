"""Waits of `treadle mcp` beside each other: whoever left without a word holds up nobody."""

import asyncio
import itertools
from typing import Any

import pytest

from cli.core.client import Client
from cli.core.errors import UnreachableError
from cli.mcp.tool import ToolError, Waits
from domain.reading.views import ThreadView
from tests.cli.conftest import Api
from tests.cli.test_commands import THREAD, VIEW
from tests.cli.test_commands import shown as shown_thread
from tests.cli.test_mcp import called, known, served

__all__ = ["known"]


def begun(api: Api) -> int:
    return sum("/events/stream" in line for line, _, _ in api.got)


async def test_a_wait_is_answered_in_time_however_many_others_wait(
    api: Api, known: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    del known
    monkeypatch.setattr("cli.mcp.tool.MAX_FOLLOWED", 2)
    monkeypatch.setattr("cli.mcp.tool.MAX_WAITING", 4)
    monkeypatch.setattr("cli.mcp.waiting.BEAT_SECONDS", 0.05)
    api.answers["GET /v1/threads"] = (200, {"threads": [{"stream": THREAD}], "next": None})
    api.answers[f"GET /v1/threads/{THREAD}/messages"] = (200, [])
    shown_thread(api, VIEW)
    over: dict[str, Any] = {"thread": THREAD, "until": ["over"]}
    async with served() as client, asyncio.timeout(20), asyncio.TaskGroup() as group:
        left = [
            group.create_task(called(client, "wait_for_thread", **over, timeout_seconds=600))
            for _ in range(3)
        ]
        while begun(api) < 2:  # noqa: ASYNC110  (another thread)
            await asyncio.sleep(0.01)
        soon = await called(client, "wait_for_thread", **over, timeout_seconds=0.1)
        needed = await called(client, "wait_for_thread", thread=THREAD, timeout_seconds=600)
        fourth = group.create_task(called(client, "wait_for_thread", **over, timeout_seconds=600))
        await asyncio.sleep(0.1)
        refused = await called(client, "wait_for_thread", thread=THREAD)
        for each in (*left, fourth):
            each.cancel()
        again: Any = "busy"
        while isinstance(again, str):  # until the server has heard of the cancellations
            again = await called(client, "wait_for_thread", **over, timeout_seconds=0)
    assert soon["reason"] == "timeout"
    assert needed["reason"] == "needs_person"
    assert refused == "busy: too many calls are waiting: call get_thread from time to time instead"
    assert again["reason"] == "timeout"


def test_places_are_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.mcp.tool.MAX_FOLLOWED", 1)
    monkeypatch.setattr("cli.mcp.tool.MAX_WAITING", 2)
    waits = Waits()
    for _ in range(3):
        with waits.place() as first, waits.place() as second:
            assert (first, second) == (True, False)
            with pytest.raises(ToolError, match="too many"), waits.place():
                pass


async def test_a_wait_outlasts_an_engine_that_is_away(
    api: Api, known: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    del known
    away = iter([True, True, False])

    def looked(client: Client, thread: str) -> ThreadView:
        if seen and next(away, False):
            raise UnreachableError("no engine is running")
        seen.append(thread)
        return VIEW.model_copy(update={"status": "completed" if len(seen) > 1 else VIEW.status})

    seen: list[str] = []
    monkeypatch.setattr("cli.mcp.waiting.view_of", looked)
    monkeypatch.setattr("cli.mcp.waiting.BEAT_SECONDS", 0.01)
    monkeypatch.setattr("cli.mcp.waiting.AWAY_SECONDS", 0.01)
    api.answers["GET /v1/threads"] = (200, {"threads": [{"stream": THREAD}], "next": None})
    over: dict[str, Any] = {"thread": THREAD, "until": ["over"]}
    async with served() as client, asyncio.timeout(20):
        answer = await called(client, "wait_for_thread", **over, timeout_seconds=15)
        away, seen[:] = itertools.repeat(True), []
        gone = await called(client, "wait_for_thread", **over, timeout_seconds=0.1)
    assert answer["reason"] == "over"
    assert gone.startswith("unreachable: ")
