"""Agents that go round in circles, flood or say nothing: told while the turn runs, and ended."""

import asyncio
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.acp.limits import TurnLimits
from domain.agents.limits.circling import CirclingLimits
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
    alike_concern=30,
    alike_stop=60,
    echoes_concern=100,
    echoes_stop=200,
    noise_concern=50,
    noise_stop=100,
)

SOON = LOW.model_copy(update={"quiet_shown": 1, "quiet_concern": 5})
"""Told of a silent agent with seconds between: a busy machine may look late."""

AT_WORK = SOON.model_copy(update={"quiet_concern": 6, "quiet_at_work": 8})


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        lab.profile("planted", {"command": [sys.executable, PLANTED]})
        yield lab


def runner(lab, circling=LOW):
    limits = TurnLimits(tick_seconds=0.05, cancel_seconds=0.5, circling=circling)
    return lab.new_runner(limits=limits, tools_listed=0.1)


def concerns(record):
    return [e for e in record.events if e.kind == "turn_concern"]


def silences(record):
    """What was told of a turn without output; its agent may have been slow to start, too."""
    return [c for c in concerns(record) if c.bound == "quiet"]


def is_asking_of_silence(event):
    return event.kind == "turn_concern" and event.bound == "quiet" and event.is_asking


@pytest.mark.parametrize(
    ("way", "bound"),
    [
        ("one-id", "repeats"),
        ("half-told", "repeats"),
        ("permissions", "repeats"),
        ("many-calls", "calls"),
        ("growing", "alike"),
        ("plans", "plans"),
        ("messages", "echoes"),
        ("texts", "updates"),
        ("noise", "noise"),
        ("foreign", "noise"),
    ],
)
async def test_a_turn_without_end_is_reported_and_then_ended_with_its_reason(lab, way, bound):
    record = Recorder()

    said = await lab.fails(way, agent="planted", runner=runner(lab), record=record)

    assert f"`{bound}_stop`" in said
    assert concerns(record)[0].bound == bound


@pytest.mark.parametrize("way", ["mute", "closed"])
async def test_an_agent_that_opens_no_session_is_told_of_until_it_ends(lab, way):
    lab.profile("shut", {"command": [sys.executable, PLANTED, way]})
    record, hurried = Recorder(), runner(lab, SOON.model_copy(update={"quiet_concern": 2}))
    running = asyncio.create_task(lab.run(agent="shut", runner=hurried, record=record))
    try:
        await record.until(lambda e: e.kind == "turn_concern")
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    told, *taken_back = concerns(record)
    assert (told.bound, told.is_asking, told.message) == (
        "opening",
        True,
        "its session is not open after 2 s",
    )
    assert [c.message for c in taken_back] == [""]


async def test_an_agent_whose_call_computes_is_not_told_of_as_soon_as_one_that_rests(lab):
    limits = TurnLimits(tick_seconds=0.2, cancel_seconds=0.5, circling=AT_WORK)
    runner, record = lab.new_runner(limits=limits, tools_listed=0.1), Recorder()
    running = asyncio.create_task(lab.run("busy", agent="planted", runner=runner, record=record))
    try:
        await record.until(is_asking_of_silence)
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    shown, told = silences(record)
    assert (shown.is_asking, told.is_asking) == (False, True)
    assert int(re.match(r"no output for (\d+) s", told.message)[1]) >= AT_WORK.quiet_at_work


async def test_a_silent_agent_is_reported_with_its_last_call(lab):
    record = Recorder()
    running = asyncio.create_task(
        lab.run("silent", agent="planted", runner=runner(lab, SOON), record=record)
    )
    try:
        await record.until(is_asking_of_silence)
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    shown, told = silences(record)
    assert (shown.is_asking, told.is_asking) == (False, True)
    assert shown.message.endswith("s; its last call: Write a.txt")
