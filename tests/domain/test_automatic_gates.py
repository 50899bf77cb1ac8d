"""An automatic gate: passed by policy, but never over files that make tools run something."""

import pytest

from domain.agents.agents import DoneReport, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn, OpenSession, SendMessage
from domain.core.approval_commands import Approve
from domain.core.ids import CommandId, SessionId, TaskId, TurnId
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.reading.event_text import text_of
from domain.tasks import rules
from domain.tasks.commands import OpenTask
from domain.tasks.events import GateOpened
from domain.tasks.outcomes import POLICY
from domain.tasks.state import Phase, TaskState
from tests.domain.core.tank import NOW
from tests.domain.task_lab import after

WORKER = SessionId("thread-x/task-1/session-1")
CHAT = SessionId(f"{WORKER}-2")
PLANTED = Snapshot(
    base="a" * 40, commit="b" * 40, tree="c" * 40, planted=("docs/.claude/settings.json",)
)


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


def changed_by_a_chat(*, keeps_asking: bool) -> TaskState:
    """An automatic gate that waits for planted files, which a person had a chat take away."""
    opening = OpenTask(
        task=PlannedTask(id=TaskId("task-1"), title="do it"),
        run=1,
        session_id=WORKER,
        agent="a",
        branch=None,
        max_retries=3,
        is_gate_automatic=True,
        keeps_asking=keeps_asking,
    )
    done = TurnResult(
        turn_id=TurnId(f"{WORKER}/turn-1"), report=DoneReport(summary="did it"), snapshot=PLANTED
    )
    asked = after(TaskState(), opening, BeginTurn(), EndTurn(result=done))
    assert asked.phase is Phase.AT_GATE
    cleared = PLANTED.model_copy(update={"commit": "d" * 40, "tree": "e" * 40, "planted": ()})
    return after(
        asked,
        OpenSession(command_id=CommandId("s")),
        SendMessage(command_id=CommandId("m"), session_id=CHAT, text="take the settings out"),
        BeginTurn(),
        EndTurn(result=TurnResult(turn_id=TurnId(f"{CHAT}/turn-1"), snapshot=cleared)),
    )


def test_a_gate_that_a_person_was_asked_at_is_theirs_when_its_files_change():
    state = changed_by_a_chat(keeps_asking=True)

    assert (state.phase, state.doubts, state.outcomes) == (Phase.AT_GATE, (), {})
    assert state.request is not None
    shown = {
        "request_id": state.request.request_id,
        "content_hash": state.request.content_hash,
    }
    decided = after(state, Approve(**shown, by="anna"))
    assert [outcome.by for outcome in decided.outcomes.values()] == ["anna"]


def test_in_a_run_of_before_policy_goes_on_passing_it():
    """Its history was recorded so."""
    state = changed_by_a_chat(keeps_asking=False)

    assert state.phase is Phase.ENDED
    assert [outcome.by for outcome in state.outcomes.values()] == [POLICY]
