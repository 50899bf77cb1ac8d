"""The registry of rules: which rule is called with what, and what follows."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.approval_commands import Approve, Reject
from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import RequestId
from domain.core.kernel import Rules
from tests.domain.core.tank import (
    NOW,
    TANK,
    Drain,
    Fill,
    Filled,
    FillTwice,
    Level,
    Lock,
    Locked,
    Overflowed,
    Pump,
    Unknown,
    tank,
)


@given(st.integers(min_value=0, max_value=500))
def test_what_follows_by_itself_is_applied_until_nothing_follows(litres: int):
    decided = TANK.decide(Level(), Fill(litres=litres), NOW)
    after = TANK.fold(Level(), decided.events)

    assert decided.events[0] == Filled(litres=litres, at=NOW)
    assert after.litres <= 10
    assert after.litres + 10 * after.overflows == litres


@given(st.lists(st.integers(min_value=0, max_value=50)))
def test_folding_events_one_by_one_or_at_once_is_the_same(fills: list[int]):
    state, events = Level(), list[EventBody]()
    for number, litres in enumerate(fills):
        decided = TANK.decide(state, Fill(litres=litres), NOW + timedelta(seconds=number))
        state = TANK.fold(state, decided.events)
        events += decided.events

    assert TANK.fold(Level(), events) == state
    assert TANK.decide(state, Fill(litres=1), NOW) == TANK.decide(state, Fill(litres=1), NOW)


def test_a_rule_may_leave_out_what_it_does_not_need():
    decided = TANK.decide(Level(litres=7), Drain(), NOW)

    assert TANK.fold(Level(litres=7), decided.events).litres == 0


def test_an_answer_stays_when_events_follow():
    decided = TANK.decide(Level(), Fill(litres=25), NOW)

    assert decided.answer.message == "filled"
    assert [type(event) for event in decided.events] == [Filled, Overflowed, Overflowed]


def test_a_handler_alone_brings_nothing_that_follows():
    assert TANK.handle(Level(), Fill(litres=25), NOW).events == (Filled(litres=25, at=NOW),)


def test_a_derived_command_is_handled_as_its_base_unless_it_has_a_rule():
    assert TANK.handle(Level(), FillTwice(litres=1), NOW).events[0] == Filled(litres=1, at=NOW)
    rules = tank()

    @rules.handles
    def fill_twice(command: FillTwice) -> Decided:
        return Decided((Filled(litres=2 * command.litres, at=NOW),))

    assert rules.handle(Level(), FillTwice(litres=1), NOW).events[0] == Filled(litres=2, at=NOW)


def test_an_unknown_command_is_refused_by_name():
    with pytest.raises(InvalidError, match="a tank takes no command 'Pump'"):
        TANK.decide(Level(), Pump(litres=1), NOW)


def test_an_unknown_event_changes_nothing():
    state = Level(litres=3)

    assert TANK.evolve(state, Unknown()) is state


def test_a_guard_refuses_before_a_command_is_handled():
    state = TANK.fold(Level(), TANK.decide(Level(), Lock(), NOW).events)

    with pytest.raises(WrongStateError, match="locked"):
        TANK.decide(state, Pump(litres=1), NOW)


def test_effects_are_a_function_of_the_state():
    assert TANK.effects(Level()) == []
    assert TANK.effects(Level(litres=3)) == [Pump(litres=3)]


def test_several_rules_of_an_event_apply_in_order():
    rules = tank()

    @rules.evolves(Filled, Overflowed)
    def lock_at_the_brim(state: Level) -> Level:
        return state.model_copy(update={"is_locked": state.litres == 10})

    assert rules.evolve(Level(), Filled(litres=10, at=NOW)).is_locked
    assert not rules.evolve(Level(litres=10), Overflowed()).is_locked


def test_an_event_that_was_folded_before_a_rule_was_registered_finds_it():
    rules = tank()
    rules.evolve(Level(), Unknown())

    @rules.evolves(Unknown)
    def apply_unknown(state: Level) -> Level:
        return state.model_copy(update={"overflows": 9})

    assert rules.evolve(Level(), Unknown()).overflows == 9


def test_a_union_registers_each_of_its_classes():
    rules = Rules[Level, Pump]("a tank")

    @rules.handles
    def refuse_all(command: Fill | Drain) -> Decided:
        return Decided(answer=Answer(message=type(command).__name__))

    assert rules.handle(Level(), Drain(), NOW).answer.message == "Drain"
    assert rules.handle(Level(), Fill(litres=1), NOW).answer.message == "Fill"


def test_a_reaction_may_compare_with_the_state_before_the_command():
    rules = tank()

    @rules.reacts
    def lock_what_was_filled(state: Level, before: Level, now: datetime) -> Iterable[EventBody]:
        is_fresh = before.filled_at is None and state.filled_at == now
        if is_fresh and not state.is_locked:
            yield Locked()

    first = rules.decide(Level(), Fill(litres=25), NOW).events
    again = rules.decide(Level(filled_at=NOW), Fill(litres=1), NOW).events

    assert [type(event) for event in first] == [Filled, Overflowed, Locked, Overflowed]
    assert [type(event) for event in again] == [Filled]


def test_reactions_without_end_fail_instead_of_hanging():
    rules = tank()

    @rules.reacts
    def fill_for_ever() -> Iterable[EventBody]:
        yield Filled(litres=0, at=NOW)

    with pytest.raises(RuntimeError, match="a tank do not end: Filled"):
        rules.decide(Level(), Lock(), NOW)


def test_a_decision_goes_to_the_rule_of_its_subject():
    rules = tank()

    @rules.decides(Subject.PLAN)
    def decide_plan(outcome: Outcome, verdict: Approve) -> Decided:
        return Decided(answer=Answer(message=f"{outcome.choice} by {verdict.by}"))

    request = ApprovalRequest(
        request_id=RequestId("r"), subject=Subject.PLAN, title="a plan", content_hash="h"
    )
    verdict = Approve(request_id=request.request_id, content_hash="h", by="ann")
    outcome = Outcome(
        request_id=request.request_id, choice=Choice.APPROVE, content_hash="h", by="ann"
    )

    decided = rules.settle(Level(), verdict, request, outcome, NOW)

    assert decided.answer.message == "approve by ann"


def test_a_second_rule_for_one_command_or_subject_is_refused():
    rules = tank()
    with pytest.raises(TypeError, match="two rules for the command Fill"):

        @rules.handles
        def fill_again(command: Fill) -> Decided:
            return Decided(answer=Answer(message=str(command.litres)))

    def ignore_decision() -> Decided:
        return Decided()

    rules.decides(Subject.PLAN)(ignore_decision)
    with pytest.raises(TypeError, match="two rules for decisions on plan"):
        rules.decides(Subject.PLAN)(ignore_decision)


def test_a_parameter_that_is_not_offered_is_refused_at_registration():
    rules = tank()
    with pytest.raises(TypeError, match=r"drain_at takes clock; offered are"):

        @rules.handles(Pump)
        def drain_at(clock: datetime) -> Decided:
            return Decided((Filled(litres=0, at=clock),))


def test_a_rule_without_a_class_is_refused_at_registration():
    rules = tank()
    with pytest.raises(TypeError, match="name the classes"):

        @rules.handles
        def drain(state: Level) -> Decided:
            return Decided((Filled(litres=-state.litres, at=NOW),))


def test_a_registry_that_extends_another_has_its_rules_after_its_own():
    rules = Rules[Level, Pump]("a pool", extends=TANK)

    @rules.evolves
    def count_what_was_there(event: Filled, state: Level) -> Level:
        return state.model_copy(update={"overflows": state.litres if event.litres else 0})

    @rules.requires
    def pump_first() -> Iterable[Pump]:
        yield Pump(litres=0)

    filled = rules.decide(Level(litres=3), Fill(litres=9), NOW).events

    assert [type(event) for event in filled] == [Filled, Overflowed]
    assert rules.fold(Level(litres=3), filled[:1]).overflows == 3
    assert rules.effects(Level(litres=3)) == [Pump(litres=0), Pump(litres=3)]
    with pytest.raises(WrongStateError, match="locked"):
        rules.decide(Level(is_locked=True), Drain(), NOW)


def test_its_own_rule_of_a_command_takes_precedence_over_that_of_the_other():
    rules = Rules[Level, Pump]("a pool", extends=TANK)

    @rules.handles
    def fill_half(command: Fill) -> Decided:
        return Decided((Filled(litres=command.litres // 2, at=NOW),))

    assert rules.handle(Level(), Fill(litres=8), NOW).events == (Filled(litres=4, at=NOW),)
    assert TANK.handle(Level(), Fill(litres=8), NOW).events == (Filled(litres=8, at=NOW),)
    with pytest.raises(InvalidError, match="a pool takes no command"):
        rules.decide(Level(), Pump(litres=1), NOW)


def test_its_commands_are_those_of_people_and_agents_and_of_the_registry_it_extends():
    def change_nothing() -> Decided:
        return Decided()

    base = Rules[Level, Pump]("a tank")
    base.handles(Approve, Fill)(change_nothing)
    rules = Rules[Level, Pump]("a pool", extends=base)
    rules.handles(Reject)(change_nothing)

    assert rules.commands == (Reject, Approve)
    assert base.commands == (Approve,)
