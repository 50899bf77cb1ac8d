"""What a turn took is told while it runs, and where it is cancelled or fails."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from adapters.acp.limits import TurnLimits
from domain.agents.agents import UsageSource
from tests.adapters.agent_lab import Recorder, open_lab

PLANTED = str(Path(__file__).with_name("spending_agent.py"))


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        lab.profile("planted", {"command": [sys.executable, PLANTED]})
        yield lab


def runner(lab, every=0.0):
    limits = TurnLimits(tick_seconds=0.05, cancel_seconds=20, spending_seconds=every)
    return lab.new_runner(limits=limits, tools_listed=0.1)


def spent(record):
    return [e.taken for e in record.events if e.kind == "turn_usage_updated"]


async def test_a_turn_tells_what_it_took_so_far_and_all_when_it_is_cancelled(lab):
    record = Recorder()
    running = asyncio.create_task(
        lab.run("wait", agent="planted", runner=runner(lab), record=record)
    )
    try:
        await record.until(lambda e: e.kind == "turn_usage_updated" and e.taken.usage is not None)
        so_far = spent(record)[-1]
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    last = spent(record)[-1]

    assert (so_far.usage.cost, so_far.usage.source, so_far.tool_calls) == (
        0.04,
        UsageSource.UNTOLD,
        1,
    )
    assert (last.usage.input_tokens, last.usage.output_tokens) == (2_400_000, 74_000)
    assert (last.usage.cached_tokens, last.usage.cost, last.tool_calls) == (11, 0.04, 1)


async def test_a_turn_that_fails_tells_what_it_took_and_a_short_one_nothing_before(lab):
    record = Recorder()

    await lab.fails("it fails", agent="planted", runner=runner(lab, every=3600), record=record)

    (only,) = spent(record)
    assert (only.usage.cost, only.tool_calls) == (0.04, 1)


async def test_tokens_of_calls_count_where_the_answer_tells_none(lab):
    quirks = {"tells_each_call": True}
    lab.profile("calling", {"command": [sys.executable, PLANTED], "quirks": quirks})
    record = Recorder()

    await lab.fails("it fails", agent="calling", runner=runner(lab, every=3600), record=record)

    usage = spent(record)[-1].usage
    assert (usage.input_tokens, usage.output_tokens, usage.cached_tokens) == (10, 7, 40)
    assert (usage.cost, usage.source) == (0.04, UsageSource.CALLS)
