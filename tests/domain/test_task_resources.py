"""What a run holds on its host: ports, terminals, and step 0, which asks for them."""

from datetime import UTC, datetime
from functools import partial

import pytest

from domain.agents.agents import DoneReport, TurnResult
from domain.agents.terminals import MAX_KEPT, Terminal, TerminalStatus
from domain.conversations.commands import EndTurn
from domain.core.errors import InvalidError, WrongStateError
from domain.plans.plan import Port
from domain.reading.task_views import of_run
from domain.tasks import rules
from domain.tasks.agent_commands import RequestPort
from domain.tasks.commands import GrantPort
from domain.tasks.running_commands import Abort
from domain.tasks.state import Phase, TaskState
from domain.tasks.terminal_commands import LookUpTask, NoteTerminal, ReleasePort
from domain.tasks.terminals import MAX_COMMAND
from domain.verification.steps import StepType, VerificationStep
from tests.domain.task_lab import SESSION, after, working

TURN = f"{SESSION}/turn-1"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LEASE = GrantPort(port_id="web", number=23456, at=NOW)
TRUE = VerificationStep(id="s1", type=StepType.COMMAND, command="true", label="fine")
at_work = partial(working, verification=(TRUE,))


def terminal(number=1, **fields) -> Terminal:
    known = {"label": "dev server", "command": "serve", "session_id": SESSION}
    return Terminal(id=f"terminal-{number}", **{**known, **fields})


def note(of: Terminal) -> NoteTerminal:
    return NoteTerminal(session_id=SESSION, turn_id=TURN, terminal=of)


def gone(of: Terminal, **end) -> Terminal:
    return of.model_copy(update={"status": TerminalStatus.EXITED, **end})


def verified(state, *standing):
    """End the turn with a report; `standing` is how the host's terminals are then."""
    result = TurnResult(turn_id=TURN, report=DoneReport(), terminals=standing)
    return after(state, EndTurn(result=result))


@pytest.fixture
def with_port() -> TaskState:
    return at_work(ports=(Port(id="web", description="the site"),))


def test_a_leased_port_is_shown_with_its_number_since_when_and_what_for(with_port):
    state = after(with_port, LEASE)

    [port] = of_run(state, {}, "thread/task")["allocated"]
    assert (port.id, port.port, port.description) == ("web", 23456, "the site")
    assert (port.allocated_at, port.status) == (NOW, "active")


def test_one_whose_number_a_stranger_took_has_the_new_one(with_port):
    state = after(with_port, LEASE, GrantPort(port_id="web", number=23457, at=NOW))

    assert state.ports == {"web": 23457}
    assert [p.port for p in of_run(state, {}, "thread/task")["allocated"]] == [23457]


def test_a_port_that_was_given_back_was_requested_all_the_same(with_port):
    released = ReleasePort(session_id=SESSION, port_id="web")
    state = after(with_port, LEASE, released, released)

    assert state.ports == {}
    assert of_run(state, {}, "thread/task")["allocated"][0].status == "released"
    assert verified(state).attempt.steps[0].passed


def test_a_port_is_not_given_back_from_under_a_terminal(with_port):
    state = after(with_port, LEASE, note(terminal(port="web")))

    with pytest.raises(WrongStateError, match="terminal-1: kill it"):
        rules.decide(state, ReleasePort(session_id=SESSION, port_id="web"), NOW)


@pytest.mark.parametrize("command", [RequestPort, ReleasePort])
def test_only_declared_ports_are_leased_and_given_back(with_port, command):
    with pytest.raises(InvalidError, match="'db'; this task declares: web"):
        rules.decide(with_port, command(session_id=SESSION, port_id="db"), NOW)


def test_a_port_that_was_never_requested_fails_step_0(with_port):
    state = verified(with_port)

    assert "never requested: web" in state.attempt.steps[0].output
    assert (state.phase, state.failed_in_a_row) == (Phase.WORKING, 1)


def test_a_required_terminal_that_runs_passes_step_0():
    dev = terminal(is_required=True)
    state = verified(after(at_work(), note(dev)), dev)

    assert state.attempt.steps[0].passed
    assert state.phase is Phase.VERIFYING


@pytest.mark.parametrize(
    ("end", "words"),
    [
        ({"exit_code": 1}, "exited with code 1"),
        ({"exit_code": 137, "signal": 9}, "ended by signal 9"),
        ({"note": "lost: the worker that kept it was stopped"}, "lost: the worker"),
    ],
)
def test_a_required_terminal_that_ended_fails_step_0(end, words):
    dev = terminal(is_required=True)
    state = verified(after(at_work(), note(dev)), gone(dev, **end))

    step = state.attempt.steps[0]
    assert not step.passed
    assert f"terminal-1 (dev server) does not run any more: {words}" in step.output


def test_one_that_the_host_does_not_know_was_lost():
    state = verified(after(at_work(), note(terminal(is_required=True))))

    assert "lost" in state.attempt.steps[0].output


def test_where_nobody_looked_nothing_is_taken_for_lost():
    dev = terminal(is_required=True)
    result = TurnResult(turn_id=TURN, report=DoneReport(), terminals=None)
    state = after(at_work(), note(dev), EndTurn(result=result))

    assert state.attempt.steps[0].passed


def test_of_several_with_one_label_the_newest_counts():
    first, second = terminal(1, is_required=True), terminal(2, is_required=True)
    state = after(at_work(), note(first), note(gone(first)), note(second))

    assert verified(state, second).attempt.steps[0].passed


def test_the_plan_names_terminals_by_their_labels():
    planned = at_work(terminals=("Dev server", "watcher"))
    dev = terminal()
    step = verified(after(planned, note(dev)), dev).attempt.steps[0]

    assert step.output == "no terminal 'watcher' was ever opened"


def test_an_end_is_reported_once_and_only_of_what_is_known():
    dev = terminal()
    state = after(at_work(), note(dev))

    assert len(rules.decide(state, note(gone(dev, exit_code=0)), NOW).events) == 1
    ended = after(state, note(gone(dev, exit_code=0)))
    assert rules.decide(ended, note(gone(dev, exit_code=5)), NOW).events == ()
    assert rules.decide(state, note(gone(terminal(7))), NOW).events == ()


def test_a_terminal_opens_in_the_running_turn_and_on_a_leased_port_only(with_port):
    with pytest.raises(InvalidError, match="request_port"):
        rules.decide(with_port, note(terminal(port="web")), NOW)
    late = note(terminal()).model_copy(update={"turn_id": f"{SESSION}/turn-9"})
    with pytest.raises(WrongStateError):
        rules.decide(with_port, late, NOW)


def test_what_is_kept_of_terminals_is_bounded():
    state = at_work()
    for number in range(1, 3 * MAX_KEPT):
        one = terminal(number, command="x" * 3_000)
        state = after(state, note(one), note(gone(one)))
    state = after(state, note(terminal(900)))

    assert len(state.terminals) == MAX_KEPT + 1
    assert list(state.terminals)[-1] == "terminal-900"
    assert {len(t.command) for t in state.terminals.values()} <= {MAX_COMMAND, len("serve")}


def test_with_the_end_of_a_run_its_ports_and_terminals_are_gone(with_port):
    state = after(with_port, LEASE, note(terminal(port="web")), Abort(by="Ann"))

    shown = of_run(state, {}, "thread/task")
    assert [p.status for p in shown["allocated"]] == ["released"]
    assert [t.status for t in shown["terminals"]] == ["exited"]


def test_an_agent_can_look_up_its_ports_its_steps_and_step_0(with_port):
    data = rules.decide(after(with_port, LEASE), LookUpTask(session_id=SESSION), NOW).answer.data

    assert data["ports"] == {"web": 23456}
    assert [step["label"] for step in data["steps"]] == ["fine"]
    assert data["resources"]["passed"]
