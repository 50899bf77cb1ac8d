"""Suggestions that a person has applied at a gate: bound to what was shown, never beside a writing agent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import DoneReport, TurnResult
from domain.conversations.commands import BeginTurn, EndTurn, OpenSession, SendMessage
from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import Decider
from domain.core.command import Command
from domain.core.errors import InvalidError, NotFoundError, NotShownError, WrongStateError
from domain.core.ids import TaskId
from domain.core.suggestions import Suggestion
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.tasks import rules
from domain.tasks.commands import EndStep, OpenTask
from domain.tasks.edits import ApplySuggestions, EndEdits
from domain.tasks.effects import ApplyEdits, RunStep
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort
from domain.tasks.state import Phase, TaskState
from domain.verification.steps import StepResult, StepType, VerificationStep
from tests.domain.core.tank import NOW
from tests.domain.task_lab import SESSION, after, todo, working
from tests.hypothesis_profiles import effort

MAKE = VerificationStep(id="make", type=StepType.COMMAND, command="make")
LINE = Suggestion(path="a.py", first=1, last=1, text="x = 2")
PASSED = StepResult(step_id="make", label="make", passed=True)


def snapshot(tree: str) -> Snapshot:
    return Snapshot(commit=tree * 40, tree=tree * 40, base="0" * 40, files=("a.py",))


def end(number: int, session: str = SESSION, **result) -> EndTurn:
    return EndTurn(result=TurnResult(turn_id=f"{session}/turn-{number}", **result))


def at_gate() -> TaskState:
    done = end(1, snapshot=snapshot("1"), report=DoneReport(summary="done"))
    return after(working(verification=(MAKE,)), done, EndStep(attempt=1, result=PASSED))


def asked(state: TaskState, *suggestions: Suggestion, command_id: str = "c-1") -> ApplySuggestions:
    assert state.request
    return ApplySuggestions(
        command_id=command_id,
        by="ada",
        request_id=state.request.request_id,
        content_hash=state.request.content_hash,
        suggestions=suggestions or (LINE,),
    )


def applying() -> TaskState:
    state = at_gate()
    return after(state, asked(state))


def test_they_withdraw_the_gate_and_are_applied_by_the_system():
    state = applying()

    assert (state.phase, state.request) == (Phase.EDITING, None)
    assert todo(state) == ApplyEdits(number=1)
    assert state.waiting_for == ""


def test_what_they_made_is_verified_before_the_gate_opens_on_it():
    state = after(applying(), EndEdits(key="c-1", snapshot=snapshot("2")))

    assert state.phase is Phase.VERIFYING
    assert isinstance(todo(state), RunStep)
    state = after(state, EndStep(attempt=2, result=PASSED))
    assert state.request
    assert state.request.request_id.endswith("gate-1-2")
    assert state.snapshot == snapshot("2")


def test_where_none_was_applied_the_same_gate_opens_again():
    before = at_gate()
    state = after(before, asked(before), EndEdits(key="c-1", failure="a.py changed"))

    assert (state.phase, state.request) == (Phase.AT_GATE, before.request)
    again = after(state, asked(state, command_id="c-2"))
    assert todo(again) == ApplyEdits(number=2)


def test_a_second_click_changes_nothing():
    state = at_gate()
    click = asked(state)
    once = after(state, click)

    assert rules.decide(once, click, NOW).events == ()
    later = after(once, EndEdits(key="c-1", snapshot=snapshot("2")))
    assert rules.decide(later, click, NOW).events == ()
    assert rules.decide(later, EndEdits(key="c-1", snapshot=snapshot("3")), NOW).events == ()


def test_what_was_not_applied_is_not_said_to_be_when_it_is_sent_again():
    state = at_gate()
    click = asked(state)
    going = after(state, click)
    assert rules.decide(going, click, NOW).answer.message == "being applied"
    done = after(going, EndEdits(key="c-1", snapshot=snapshot("2")))
    assert rules.decide(done, click, NOW).answer.message == "already applied"

    failed = after(going, EndEdits(key="c-1", failure="a.py changed"))
    with pytest.raises(WrongStateError, match="nothing was changed"):
        rules.decide(failed, click, NOW)
    assert rules.decide(failed, asked(failed, command_id="c-2"), NOW).events


def test_nothing_is_decided_while_they_are_applied():
    state = at_gate()
    assert state.request
    shown = {"request_id": state.request.request_id, "content_hash": state.request.content_hash}
    edited = after(state, asked(state))

    for command in (Approve(**shown), Reject(**shown, feedback="no"), asked(state, command_id="x")):
        with pytest.raises(NotFoundError):
            rules.decide(edited, command, NOW)
    with pytest.raises(WrongStateError):
        rules.decide(edited, SendMessage(command_id="m", text="hello"), NOW)


@pytest.mark.parametrize("field", ["request_id", "content_hash"])
def test_they_are_of_what_was_shown(field: str):
    state = at_gate()

    with pytest.raises(NotShownError):
        rules.decide(state, asked(state).model_copy(update={field: "other"}), NOW)


def test_they_are_refused_while_an_agent_writes_and_where_no_gate_is_open():
    state = at_gate()
    command = asked(state)
    talk = OpenSession(command_id="o", agent="a")
    opened = after(state, talk)
    chat = next(name for name in opened.conversations if name != SESSION)
    busy = after(opened, SendMessage(command_id="m", session_id=chat, text="hello"), BeginTurn())

    assert busy.turn is not None
    with pytest.raises(WrongStateError, match="at work"):
        rules.decide(busy, command, NOW)
    with pytest.raises(NotFoundError):
        rules.decide(working(verification=(MAKE,)), command, NOW)


def test_no_turn_begins_while_they_are_applied():
    state = at_gate()
    opened = after(state, OpenSession(command_id="o", agent="a"))
    chat = next(name for name in opened.conversations if name != SESSION)
    edited = after(opened, asked(opened))

    talked = after(edited, SendMessage(command_id="m", session_id=chat, text="hello"))

    assert todo(talked) == ApplyEdits(number=1)
    assert rules.decide(talked, BeginTurn(), NOW).events == ()


def test_lines_that_two_suggestions_change_are_refused():
    state = at_gate()

    with pytest.raises(InvalidError, match="same line"):
        rules.decide(state, asked(state, LINE, LINE), NOW)


@pytest.mark.parametrize("odd", [{"path": "a\0b"}, {"text": "a\0b"}], ids=str)
def test_what_no_text_file_holds_is_refused(odd: dict[str, str]):
    state = at_gate()

    with pytest.raises(InvalidError, match="NUL"):
        rules.decide(state, asked(state, LINE.model_copy(update=odd)), NOW)


def test_an_abort_ends_the_run_whatever_is_applied():
    state = after(applying(), Abort(command_id="a"))

    assert todo(state) is None
    assert rules.decide(state, EndEdits(key="c-1", snapshot=snapshot("2")), NOW).events == ()


ACTS = ("apply", "applied", "emptied", "refused", "pass", "fail", "reject", "begin", "report")


def doubted() -> TaskState:
    """A gate that closes by itself, stopped by a file that makes tools run something."""
    opened = OpenTask(
        task=PlannedTask(id=TaskId("1"), title="One", verification=(MAKE,)),
        run=1,
        session_id=SESSION,
        agent="a",
        branch="b",
        max_retries=3,
        is_gate_automatic=True,
    )
    planted = snapshot("1").model_copy(update={"planted": (".claude/settings.json",)})
    done = end(1, snapshot=planted, report=DoneReport(summary="done"))
    return after(TaskState(), opened, BeginTurn(), done, EndStep(attempt=1, result=PASSED))


def test_a_gate_that_closes_by_itself_shows_what_came_of_a_persons_lines():
    before = doubted()
    assert before.phase is Phase.AT_GATE

    state = after(before, asked(before), EndEdits(key="c-1", snapshot=snapshot("2")))
    state = after(state, EndStep(attempt=2, result=PASSED))

    assert state.phase is Phase.AT_GATE
    assert state.request
    assert state.snapshot == snapshot("2")


def test_it_shows_the_gate_again_where_none_were_applied():
    before = doubted()

    state = after(before, asked(before), EndEdits(key="c-1", failure="a.py changed"))

    assert (state.phase, state.request) == (Phase.AT_GATE, before.request)


def command_of(act: str, state: TaskState, number: int) -> Command | None:
    """Return what an act of the property's is, None where it cannot be now."""
    request, editing, turn = state.request, state.editing, state.turn
    if act == "apply" and request:
        return asked(state, command_id=f"c-{number}")
    if act == "reject" and request:
        shown = {"request_id": request.request_id, "content_hash": request.content_hash}
        return Reject(**shown, feedback="no")
    if act in {"applied", "emptied", "refused"} and editing:
        made = snapshot(str(number % 10)) if act == "applied" else None
        if act == "emptied" and state.snapshot:  # the lines took all of the work out
            made = state.snapshot.model_copy(update={"files": (), "file_count": 0})
        return EndEdits(key=editing.key, snapshot=made, failure="" if made else "no")
    if act in {"pass", "fail"} and state.attempt:
        result = PASSED.model_copy(update={"passed": act == "pass"})
        return EndStep(attempt=state.attempt.attempt, result=result)
    if act == "begin":
        return BeginTurn()
    if act == "report" and turn:
        done = TurnResult(
            turn_id=turn.turn_id,
            snapshot=snapshot(str(number % 10)),
            report=DoneReport(summary="done"),
        )
        return EndTurn(result=done)
    return None


@effort(200)
@given(st.lists(st.sampled_from(ACTS), max_size=25))
def test_no_policy_passes_a_gate_once_a_person_changed_lines(acts: list[str]):
    state = doubted()
    for number, act in enumerate(["apply", *acts], start=1):
        command = command_of(act, state, number)
        if command is None or state.end is not None:
            continue
        state = after(state, command)
        assert not any(each.decider is Decider.POLICY for each in state.outcomes.values())
        assert state.end is not TaskEnd.ACCEPTED
