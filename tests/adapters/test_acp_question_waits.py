"""How long a turn waits for a person's answers, and what becomes of it then."""

import asyncio

import pytest

from adapters.acp.questions import QuestionChannel
from adapters.acp.waits import Waits
from domain.core.errors import TurnAsleepError
from tests.adapters.test_acp_questions import ASK, keeper, lab, start
from tests.fakes import MemoryJournal

__all__ = ["keeper", "lab"]


async def test_a_turn_that_waits_too_long_gives_its_process_up(lab, keeper):
    lab.desk = QuestionChannel(keeper, MemoryJournal(), wait_seconds=0.2)
    lab.runner = lab.new_runner()
    turn, _ = await start(lab, keeper, ASK)

    with pytest.raises(TurnAsleepError):
        await turn
    assert lab.agents() == []
    assert len(keeper.state.questions.open) == 1


class NotedWaits(Waits):
    """Waits that note how long each may take."""

    def __init__(self):
        super().__init__()
        self.allowed = []

    def within(self, seconds):
        self.allowed.append(seconds)
        return super().within(seconds)


async def test_all_questions_of_a_turn_share_the_time_for_answers(lab, keeper):
    waits, clock = NotedWaits(), asyncio.get_running_loop().time
    lab.desk = QuestionChannel(keeper, MemoryJournal(), wait_seconds=600, waits=waits)
    lab.runner = lab.new_runner()
    turn, _ = await start(lab, keeper, ASK, {**ASK, "ask": "Deploy again"})
    (first,) = await keeper.asked()
    await keeper.looked(1)
    began = clock()
    await keeper.looked(10)
    took = clock() - began
    await keeper.answer(first)
    await keeper.asked()  # the second one
    waits.end_all()

    with pytest.raises(TurnAsleepError):
        await turn
    assert waits.allowed[0] == 600
    assert [0 < seconds <= 600 - took for seconds in waits.allowed[1:]] == [True]
    assert [q.title for q in keeper.state.questions.open.values()] == ["Deploy again"]
