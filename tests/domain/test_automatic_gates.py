"""An automatic gate: passed by policy, but never over files that make tools run something."""

import pytest

from domain.agents.agents import DoneReport, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn
from domain.core.ids import SessionId, TaskId, TurnId
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.reading.event_text import text_of
from domain.tasks import rules
from domain.tasks.commands import OpenTask
from domain.tasks.events import GateOpened
from domain.tasks.state import Phase, TaskState
from tests.domain.core.tank import NOW


@pytest.mark.parametrize(
    ("planted", "phase"), [((), Phase.ENDED), (("docs/.claude/settings.json",), Phase.AT_GATE)]
)
def test_a_person_looks_at_planted_files_whatever_the_gate_says(planted, phase):
    state = TaskState()
    opening = OpenTask(
        task=PlannedTask(id=TaskId("task-1"), title="do it", description="all of it"),
        run=1,
        session_id=SessionId("thread-x/task-1/session-1"),
        agent="a",
        branch=None,
        max_retries=3,
        is_gate_automatic=True,
    )
    result = TurnResult(
        turn_id=TurnId("thread-x/task-1/session-1/turn-1"),
        report=DoneReport(summary="did it"),
        snapshot=Snapshot(base="a" * 40, commit="b" * 40, tree="c" * 40, planted=planted),
    )

    events = []
    for command in (opening, BeginTurn(), EndTurn(result=result)):
        events = rules.decide(state, command, NOW).events
        state = rules.fold(state, events)

    assert state.phase is phase
    [gate] = [event for event in events if isinstance(event, GateOpened)]
    assert gate.is_automatic is (phase is Phase.ENDED)
    told = text_of(gate)
    assert told.milestone == ("" if gate.is_automatic else "gate_opened")
    assert told.summary.startswith("Waiting for approval") is not gate.is_automatic
