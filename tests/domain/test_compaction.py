"""When an agent's own compaction of its context brought nothing."""

import pytest

from domain.agents.agents import ContextFill, StopReason, TurnResult
from domain.agents.limits.budgets import Budget
from domain.agents.limits.compaction import is_empty
from domain.core.ids import TurnId

FULL = ContextFill(used=96_000, size=100_000)
ROOM = ContextFill(used=9_000, size=100_000)
NEARLY = ContextFill(used=95_900, size=100_000)


@pytest.mark.parametrize(
    ("told", "is_nothing"),
    [
        ({}, True),
        ({"text": " \n"}, True),
        ({"context": FULL}, True),
        ({"context": NEARLY, "text": "Compacted."}, True),
        ({"text": "Compacted."}, False),
        ({"context": FULL, "text": "Compacted."}, False),
        ({"context": ROOM}, False),
        ({"failure": "it left"}, False),
        ({"stop_reason": StopReason.CANCELLED}, False),
    ],
)
def test_a_compaction_is_empty_without_words_and_without_room(told, is_nothing):
    result = TurnResult(turn_id=TurnId("x/turn-2"), **told)
    assert is_empty(Budget(), FULL, result) is is_nothing
