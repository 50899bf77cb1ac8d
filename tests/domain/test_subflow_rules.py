"""Rules of steps that run other flows, whatever is told in whichever order."""

from hypothesis import given
from hypothesis import strategies as st

from domain.flows.commands import (
    CallRun,
    GiveUpStep,
    LoseParent,
    LoseRun,
    MarkParentNotified,
    NoteRun,
    OpenFlow,
    TakeGrant,
)
from domain.flows.definition import StepKind
from domain.flows.effects import AwaitRun, BorrowDirectory, NotifyParent, RunCommand
from domain.flows.events import ChildEnd, FlowChildEnded, FlowChildStarted, FlowResumed, ParentRun
from domain.flows.person_commands import ResumeFlow, StopFlow
from domain.flows.rules import effects
from domain.flows.state import FlowState, FlowStatus
from domain.flows.subflows import news_of
from tests.domain.flow_world import FlowRun, FlowText

NAMES = ("one", "two")


def whole(text: FlowText | None = None) -> FlowRun:
    return FlowRun((text or FlowText()).add(StepKind.SUBFLOW, flow_names=NAMES).llm().flow())


class Part(FlowRun):
    """A run that a step of another began."""

    def __init__(self, text: FlowText) -> None:
        self.state = FlowState()
        super().__init__(text.flow())

    def do(self, command) -> None:
        if isinstance(command, OpenFlow):
            given = {"call": 1, "base": "0" * 40, "branch": "treadle/flow-whole-1", "host": "here"}
            parent = ParentRun(run_id="flow-whole-1", owner="flow-whole-1", **given)
            command = command.model_copy(update={"parent": parent})
        super().do(command)


def awaited(run: FlowRun) -> dict[str, AwaitRun]:
    return {each.flow_name: each for each in effects(run.state) if isinstance(each, AwaitRun)}


def note(run: FlowRun, name: str, end: ChildEnd, call: int | None = None) -> None:
    known = next(each for each in run.state.subflow_runs.runs if each.flow_name == name)
    visit = run.state.visits if call is None else call
    run.do(NoteRun(run_id=known.run_id, call=visit, end=end, reason="so it is"))


def kinds(run: FlowRun, kind: type) -> list:
    return [event for event in run.events if isinstance(event, kind)]


def test_a_step_ends_with_the_last_of_its_runs():
    run = whole()
    assert set(awaited(run)) == set(NAMES)
    note(run, "one", ChildEnd.COMPLETED)
    assert set(awaited(run)) == {"two"}
    note(run, "two", ChildEnd.COMPLETED)
    assert run.state.index == 1
    assert not run.state.subflow_runs.runs


def test_each_round_of_a_loop_has_runs_of_its_own():
    run = FlowRun(FlowText().loop(lambda t: t.add(StepKind.SUBFLOW, flow_names=("one",)), 2).flow())
    note(run, "one", ChildEnd.COMPLETED)
    assert [each.is_again for each in kinds(run, FlowChildStarted)] == [False, False]
    note(run, "one", ChildEnd.COMPLETED)
    assert run.state.status is FlowStatus.COMPLETED


def test_news_of_an_earlier_call_and_of_a_stranger_change_nothing():
    run = whole()
    note(run, "one", ChildEnd.FAILED, call=0)
    run.do(NoteRun(run_id="flow-one-7", call=run.state.visits, end=ChildEnd.COMPLETED))
    assert set(awaited(run)) == set(NAMES)


def test_a_resume_elsewhere_begins_all_of_them_anew():
    run = whole(FlowText().llm())
    run.say()
    note(run, "one", ChildEnd.COMPLETED)
    run.do(StopFlow())
    run.do(GiveUpStep(visit=run.state.visits))
    run.do(ResumeFlow(command_id="r", step_index=0))
    run.say()
    assert set(awaited(run)) == set(NAMES)


def test_an_id_that_is_taken_is_followed_by_another_one():
    run = whole()
    taken = awaited(run)["one"].run_id
    run.do(LoseRun(run_id=taken))
    number = int(taken.rpartition("-")[2])
    assert awaited(run)["one"].run_id == f"flow-one-{number + 1}"
    note(run, "one", ChildEnd.COMPLETED)
    assert set(awaited(run)) == {"two"}


ACTS = st.sampled_from(["stop", "give up", "resume", "lost", *ChildEnd])


def play(run: FlowRun, act: str, name: str) -> None:
    match act:
        case "stop":
            run.do(StopFlow())
        case "give up":
            run.do(GiveUpStep(visit=run.state.visits))
        case "resume" if not run.state.status.is_at_work:
            run.do(ResumeFlow(command_id="r"))
        case "lost":
            run.do(LoseRun(run_id=next(r.run_id for r in run.state.subflow_runs.runs)))
        case ChildEnd():
            note(run, name, act)


@given(acts=st.lists(st.tuples(ACTS, st.sampled_from(NAMES)), max_size=25))
def test_none_that_has_completed_is_begun_again_and_none_is_passed_over(acts):
    run = whole()
    for act, name in acts:
        if run.state.index != 0:
            break
        play(run, act, name)
        is_running = run.state.status is FlowStatus.RUNNING and run.state.index == 0
        assert not is_running or awaited(run)
    ended: dict[str, ChildEnd] = {}
    for event in run.events:
        if isinstance(event, FlowChildStarted):
            assert ended.get(event.flow_name) is not ChildEnd.COMPLETED
        elif isinstance(event, FlowChildEnded):
            ended[event.flow_name] = event.end
    if run.state.index == 1:
        assert ended == dict.fromkeys(NAMES, ChildEnd.COMPLETED)


# --- of a run that a step began


def test_a_part_tells_its_end_once_for_each_call():
    part = Part(FlowText().llm())
    part.say()
    assert news_of(part.state).end is ChildEnd.COMPLETED
    assert [each.call for each in effects(part.state) if isinstance(each, NotifyParent)] == [1]
    part.do(MarkParentNotified(call=1))
    assert news_of(part.state) is None
    part.do(CallRun(call=1))
    assert news_of(part.state).call == 1
    part.do(CallRun(call=4))
    assert news_of(part.state).call == 4
    part.do(CallRun(call=2))
    assert news_of(part.state).call == 4


def test_a_new_call_has_a_part_go_on_and_the_same_one_does_not():
    part = Part(FlowText().add(StepKind.WAIT, seconds=9))
    part.do(StopFlow(by="ann"))
    part.do(MarkParentNotified(call=1))
    part.do(CallRun(call=1))
    assert part.state.status is FlowStatus.STOPPED
    part.do(CallRun(call=2))
    assert part.state.status is FlowStatus.RUNNING
    assert len(kinds(part, FlowResumed)) == 1


def test_a_part_that_is_called_while_it_stops_goes_on_unless_it_is_stopped_again():
    part = Part(FlowText().llm())
    part.do(StopFlow())
    part.do(CallRun(call=2))
    part.say(is_stopped=True)
    assert part.state.status is FlowStatus.RUNNING
    part.do(StopFlow())
    part.do(CallRun(call=3))
    part.do(StopFlow())
    part.say(is_stopped=True)
    assert part.state.status is FlowStatus.STOPPED


def test_a_part_has_the_folder_only_when_it_is_lent():
    part = Part(FlowText().add(StepKind.COMMAND, command="make"))
    (borrowed,) = (each for each in effects(part.state) if isinstance(each, BorrowDirectory))
    assert part.state.directory.holder is None
    part.do(TakeGrant(turn_id="another", number=7))
    assert part.state.directory.holder is None
    part.do(TakeGrant(turn_id=borrowed.turn_id, number=7))
    part.do(TakeGrant(turn_id=borrowed.turn_id, number=8))
    assert [each.grant for each in effects(part.state) if isinstance(each, RunCommand)] == [7]


def test_a_part_whose_whole_is_gone_stops():
    part = Part(FlowText().add(StepKind.COMMAND, command="make"))
    part.do(LoseParent())
    part.do(GiveUpStep(visit=part.state.visits))
    assert part.state.status is FlowStatus.STOPPED
    assert "is gone" in part.state.reason
    assert not part.state.directory.turns
