"""Agents that go round in circles, flood or say nothing: told while the turn runs, and ended."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.acp.limits import TurnLimits
from domain.limits.circling import CirclingLimits
from tests.adapters.agent_lab import Recorder, open_lab

PLANTED = str(Path(__file__).with_name("circling_agent.py"))
LOW = CirclingLimits(
    repeats_concern=3,
    repeats_stop=6,
    calls_concern=30,
    calls_stop=60,
    plans_concern=20,
    plans_stop=40,
    updates_concern=500,
    updates_stop=1000,
    quiet_shown=1,
    quiet_concern=2,
)


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        lab.profile("planted", {"command": [sys.executable, PLANTED]})
        yield lab


def runner(lab):
    limits = TurnLimits(tick_seconds=0.05, cancel_seconds=0.5, circling=LOW)
    return lab.new_runner(limits=limits, tools_listed=0.1)


def concerns(record):
    return [e for e in record.events if e.kind == "turn_concern"]


@pytest.mark.parametrize(
    ("way", "bound"),
    [
        ("one-id", "repeats"),
        ("half-told", "repeats"),
        ("permissions", "repeats"),
        ("many-calls", "calls"),
        ("plans", "plans"),
        ("messages", "updates"),
    ],
)
async def test_a_turn_without_end_is_told_and_then_ended_with_its_reason(lab, way, bound):
    record = Recorder()

    said = await lab.fails(way, agent="planted", runner=runner(lab), record=record)

    assert f"`{bound}_stop`" in said
    assert concerns(record)[0].bound == bound


async def test_a_silent_agent_is_told_with_its_last_call(lab):
    record = Recorder()
    running = asyncio.create_task(
        lab.run("silent", agent="planted", runner=runner(lab), record=record)
    )
    try:
        await record.until(lambda e: e.kind == "turn_concern" and e.is_asking)
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    shown, told = concerns(record)
    assert (shown.is_asking, told.is_asking) == (False, True)
    assert shown.message.endswith("s; its last call: Write a.txt")
