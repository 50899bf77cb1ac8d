"""Hints on their way to the workflows that watch: collected, told once, and kept while Temporal is away."""

import asyncio

import pytest
from temporalio.service import RPCError, RPCStatusCode

from api.webhooks import waking
from api.webhooks.waking import Waking
from domain.forges.hints import ForgeHint
from domain.forges.projects import ForgeProject

PROJECT = ForgeProject(host="github.com", owner="o", name="r")


class AwayWatchers:
    """Watchers that are told nothing until they have been away for some attempts."""

    def __init__(self, away: int) -> None:
        self.away = away
        self.attempts = 0
        self.told: list[ForgeHint] = []
        self.is_told = asyncio.Event()

    async def tell(self, hints) -> int:
        self.attempts += bool(hints)
        if self.attempts <= self.away:
            raise RPCError("away", RPCStatusCode.UNAVAILABLE, b"")
        self.told += hints
        self.is_told.set()
        return len(hints)


def hint(delivery: str, number: int = 1) -> ForgeHint:
    return ForgeHint(hint_id=delivery, project=PROJECT, pull_request=number)


async def test_hints_about_one_thing_are_one_and_wait_until_temporal_is_back() -> None:
    watchers = AwayWatchers(away=3)
    hints = Waking(watchers, pause=0.001)  # pyright: ignore[reportArgumentType]
    async with asyncio.timeout(60), hints.going():
        for each in (hint("a"), hint("b"), hint("c", 2)):
            hints.add(each)
        await watchers.is_told.wait()

    assert watchers.attempts == 4
    assert [each.pull_request for each in watchers.told] == [1, 2]


async def test_what_waits_is_told_when_the_api_ends() -> None:
    watchers = AwayWatchers(away=0)
    hints = Waking(watchers, pause=60)  # pyright: ignore[reportArgumentType]
    async with hints.going():
        hints.add(hint("a"))

    assert watchers.told == [hint("a")]


async def test_a_long_outage_is_asked_about_less_and_less_often(monkeypatch) -> None:
    watchers = AwayWatchers(away=9)
    pauses: list[float] = []
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)

    monkeypatch.setattr(waking.asyncio, "sleep", noted)
    hints = Waking(watchers)  # pyright: ignore[reportArgumentType]
    async with asyncio.timeout(60), hints.going():
        hints.add(hint("a"))
        await watchers.is_told.wait()

    assert pauses[:7] == [1, 2, 4, 8, 16, 32, 60]


@pytest.mark.parametrize("many", [waking.MOST + 500])
async def test_a_flood_of_hints_is_bounded_and_no_project_is_forgotten(many: int) -> None:
    watchers = AwayWatchers(away=0)
    hints = Waking(watchers)  # pyright: ignore[reportArgumentType]
    for number in range(1, many):
        hints.add(hint(f"{number}", number))
    await hints.tell()

    assert len(watchers.told) <= waking.MOST
    assert watchers.told[0].pull_request is None
    assert watchers.told[0].project == PROJECT
