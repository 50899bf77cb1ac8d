"""Who is added to a contest: an agent with a name, told of once."""

import pytest

from domain.core.errors import InvalidError, TreadleError
from domain.core.ids import CommandId
from domain.threads.contests.commands import AddCandidate
from tests.domain.contest_lab import APP
from tests.domain.test_best_of_bounds import both_passed


def test_an_agent_that_was_added_is_told_of_once_and_nobody_elses_start_is_claimed() -> None:
    lab = both_passed()
    lab.send(AddCandidate(task_id=APP, agent="gemini", by="ada", command_id=CommandId("1")))

    again = lab.send(AddCandidate(task_id=APP, agent="gemini", by="ada"))

    assert again.data == {"candidate": "app.c"}
    assert isinstance(
        lab.refuses(AddCandidate(task_id=APP, agent="claude", by="ada")), TreadleError
    )
    lab.fail(lab.name("c"))
    assert isinstance(
        lab.refuses(AddCandidate(task_id=APP, agent="gemini", by="ada")), TreadleError
    )


@pytest.mark.parametrize("agent", ["", "  ", "a\nb"])
def test_an_agent_has_a_name(agent: str) -> None:
    assert isinstance(both_passed().refuses(AddCandidate(task_id=APP, agent=agent)), InvalidError)
