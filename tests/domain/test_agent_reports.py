"""What an agent reports of its task, and when it counts."""

import pytest

from domain.agents.agents import TurnResult
from domain.conversations.commands import BeginTurn, EndTurn, SendMessage
from domain.conversations.effects import RunTurn
from domain.core.errors import WrongStateError
from domain.plans.plan import Port
from domain.tasks import rules
from domain.tasks.agent_commands import ReportBlocked, ReportDone, RequestPort
from tests.domain.core.tank import NOW
from tests.domain.task_lab import SESSION, after, todo, working

REPORTS = (
    ReportDone(session_id=SESSION, summary="all done"),
    ReportBlocked(session_id=SESSION, reason="no access"),
    RequestPort(session_id=SESSION, port_id="web"),
)


def turn_id(number):
    return f"{SESSION}/turn-{number}"


@pytest.fixture
def in_its_first_turn():
    return working(ports=(Port(id="web"),))


@pytest.mark.parametrize("report", REPORTS, ids=lambda report: report.door)
def test_what_was_said_in_a_turn_counts_in_no_later_one(in_its_first_turn, report):
    said = report.model_copy(update={"turn_id": turn_id(1)})
    assert rules.decide(in_its_first_turn, said, NOW).answer.message
    nudged = after(in_its_first_turn, EndTurn(result=TurnResult(turn_id=turn_id(1))), BeginTurn())

    with pytest.raises(WrongStateError, match="turn-1', which is over"):
        rules.decide(nudged, said, NOW)
    assert rules.decide(
        nudged, report.model_copy(update={"turn_id": turn_id(2)}), NOW
    ).answer.message


def test_a_message_after_the_report_says_that_the_agent_works_on(in_its_first_turn):
    message = SendMessage(text="and the docs", command_id="m-1")
    assert rules.decide(in_its_first_turn, message, NOW).answer.message == "queued"

    reported = after(in_its_first_turn, REPORTS[0])

    assert "had reported that it is done" in rules.decide(reported, message, NOW).answer.message
    ended = EndTurn(result=TurnResult(turn_id=turn_id(1)))
    assert todo(after(reported, message, ended)) == RunTurn(session_id=SESSION, number=2)
