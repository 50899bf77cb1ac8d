"""Processes of agents between their turns: how long they are kept, and how many."""

import asyncio

import pytest

from domain.agents.agents import SessionRole
from tests.adapters.agent_lab import open_lab


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


async def test_a_process_without_a_turn_is_closed_after_a_while(lab):
    lab.scenario({"say": "hi"})
    runner = lab.new_runner(idle_process=0.05)

    await lab.run(runner=runner)
    [process] = lab.agents() or [None]

    if process is not None:
        await asyncio.to_thread(process.wait, 60)
    assert lab.agents() == []


async def test_the_process_of_a_planner_is_closed_sooner(lab):
    lab.scenario({"say": "hi"})
    runner = lab.new_runner(idle_planner=0.05)
    await lab.run(runner=runner, role=SessionRole.PLANNER)
    for process in lab.agents():
        await asyncio.to_thread(process.wait, 60)
    assert lab.agents() == []


async def test_of_too_many_idle_processes_the_longest_idle_is_closed(lab):
    lab.scenario({"say": "hi"})
    runner = lab.new_runner(idle_processes=1)
    await lab.run(runner=runner)
    [first] = lab.agents()
    await lab.run(runner=runner, session_id="thread-x/session-9", agent_session=None)
    await asyncio.to_thread(first.wait, 60)
    [second] = lab.agents()
    assert second != first
