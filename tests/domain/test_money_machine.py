"""The rules of limits: asked once, answered once, warned once, and applied in order."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.billing import MonthlyLimits
from domain.agents.limits.money import Limited, LimitScope, SpentLimit
from domain.core.errors import InvalidError, NotFoundError, NotShownError
from domain.core.event import EventBody
from domain.money.commands import (
    EndMonth,
    NoteApplied,
    NoteLimits,
    RaiseLimit,
    SetMonthlyLimits,
    StopAtLimit,
)
from domain.money.effects import ApplyChange, AwaitMonth
from domain.money.rules import MONEY_RULES, decide, effects, fold
from domain.money.state import MoneyState

NOW = datetime(2026, 11, 20, tzinfo=UTC)
ENDS = datetime(2026, 12, 1, tzinfo=UTC)
MONTH = SpentLimit(
    scope=LimitScope(kind=Limited.MONTH, name="2026-11"), limit=50_000_000, spent=50_120_000
)
TASK = SpentLimit(
    scope=LimitScope(kind=Limited.TASK, name="thread-a/t1"), limit=1_000_000, spent=1_000_000
)


class Limits:
    """The state, after what is told and said."""

    def __init__(self) -> None:
        self.state = MoneyState()

    def take(self, command, now=NOW) -> tuple[EventBody, ...]:
        events = decide(self.state, command, now).events
        self.state = fold(self.state, events)
        return events

    def asked(self, *reached: SpentLimit):
        self.take(NoteLimits(reached=reached, month_ends=ENDS))
        return next(reversed(self.state.asked.values()))

    def effects(self):
        return list(effects(self.state))


@pytest.fixture
def limits():
    return Limits()


def shown(request) -> dict[str, str]:
    return {"request_id": request.request_id, "content_hash": request.content_hash, "by": "ada"}


def test_a_limit_is_asked_about_once(limits):
    first = limits.asked(MONTH)
    assert limits.take(NoteLimits(reached=(MONTH,))) == ()
    assert first.words == ("Spending limit reached for all work in 2026-11: $50.12 of $50.00")


def test_a_limit_that_is_near_is_told_once_and_again_once_it_is_another(limits):
    assert len(limits.take(NoteLimits(near=(MONTH,)))) == 1
    assert limits.take(NoteLimits(near=(MONTH,))) == ()
    raised = MONTH.model_copy(update={"limit": 60_000_000})
    assert len(limits.take(NoteLimits(near=(raised,)))) == 1


def test_what_is_reached_is_not_told_as_near_as_well(limits):
    kinds = [event.kind for event in limits.take(NoteLimits(near=(MONTH,), reached=(MONTH,)))]
    assert kinds == ["limit_reached"]


def test_a_raise_is_applied_and_then_forgotten(limits):
    request = limits.asked(MONTH)
    limits.take(RaiseLimit(**shown(request), usd=80))
    (apply,) = limits.effects()
    assert isinstance(apply, ApplyChange)
    assert (apply.change.limit, apply.change.scope) == (80_000_000, MONTH.scope)

    limits.take(NoteApplied(number=apply.change.number))
    assert limits.effects() == []
    assert limits.take(NoteApplied(number=apply.change.number)) == ()


@pytest.mark.parametrize("usd", [0.01, 50, 50.12])
def test_a_limit_is_only_raised(limits, usd):
    request = limits.asked(MONTH)
    with pytest.raises(InvalidError, match="give a higher limit"):
        limits.take(RaiseLimit(**shown(request), usd=usd))


def test_an_answer_names_what_was_shown(limits):
    request = limits.asked(MONTH)
    with pytest.raises(NotShownError):
        limits.take(StopAtLimit(**(shown(request) | {"content_hash": "0" * 64})))
    with pytest.raises(NotFoundError):
        limits.take(StopAtLimit(**(shown(request) | {"request_id": "money/99"})))


def test_the_month_ends_its_questions_and_no_others(limits):
    limits.asked(MONTH)
    task = limits.asked(TASK)
    (wait,) = limits.effects()
    assert wait == AwaitMonth(until=ENDS)

    assert limits.take(EndMonth(), ENDS - timedelta(seconds=1)) == ()
    (lapsed,) = limits.take(EndMonth(), ENDS)

    assert lapsed.reason == "the month is over"
    assert list(limits.state.asked.values()) == [task]
    assert limits.effects() == []


def test_monthly_limits_replace_what_is_asked_of_the_month(limits):
    limits.asked(MONTH)
    limits.take(SetMonthlyLimits(limits=MonthlyLimits(month_usd=100), by="ada"))
    assert limits.state.asked == {}
    (apply,) = limits.effects()
    assert apply.change.monthly == MonthlyLimits(month_usd=100)


def test_changes_are_applied_one_after_the_other(limits):
    limits.take(SetMonthlyLimits(limits=MonthlyLimits(month_usd=1), by="ada"))
    limits.take(SetMonthlyLimits(limits=None, by="ada"))
    (first,) = limits.effects()
    limits.take(NoteApplied(number=first.change.number))
    (second,) = limits.effects()
    assert (first.change.number, second.change.number) == (1, 2)


def test_agents_have_no_command_here():
    assert {command.door for command in MONEY_RULES.commands} == {
        *("raise_limit", "stop_at_limit", "set_monthly_limits")
    }


def test_a_turn_that_came_before_its_limit_was_raised_does_not_ask_again(limits):
    request = limits.asked(TASK)
    limits.take(RaiseLimit(**shown(request), usd=5))

    assert limits.take(NoteLimits(reached=(TASK,))) == ()  # the ledger frees it in a moment
    limits.take(NoteApplied(number=limits.state.numbers))
    higher = TASK.model_copy(update={"limit": 5_000_000, "spent": 5_000_000})
    assert limits.asked(higher).limit == 5_000_000


def test_a_question_lapses_that_nothing_waits_for_any_more(limits):
    request, other = limits.asked(TASK), limits.asked(MONTH)
    (lapsed,) = limits.take(NoteLimits(idle=(request.request_id, request.request_id)))
    assert (lapsed.request_id, "nothing waits" in lapsed.reason) == (request.request_id, True)
    assert list(limits.state.asked.values()) == [other]

    assert limits.take(NoteLimits(idle=(request.request_id, "money/99"))) == ()
    assert limits.asked(TASK).request_id != request.request_id


def test_a_warning_is_of_the_limit_that_holds_now(limits):
    limits.take(NoteLimits(near=(MONTH, TASK)))
    limits.take(SetMonthlyLimits(limits=MonthlyLimits(month_usd=500), by="ada"))
    assert list(limits.state.near) == [TASK.scope.key]

    request = limits.asked(TASK)
    limits.take(RaiseLimit(**shown(request), usd=50))
    assert limits.state.near == {}
    limits.take(NoteLimits(near=(TASK,)))  # by a ledger that does not know of it yet
    assert limits.state.near == {}


@given(
    st.lists(
        st.one_of(
            st.builds(NoteLimits, reached=st.lists(st.sampled_from((MONTH, TASK))).map(tuple)),
            st.builds(
                NoteLimits,
                reached=st.lists(st.sampled_from((MONTH, TASK))).map(tuple),
                idle=st.lists(st.integers(1, 12).map(lambda n: f"money/{n}")).map(tuple),
            ),
        ),
        max_size=12,
    )
)
def test_what_is_reached_is_asked_whatever_lapsed_before(notes):
    limits = Limits()
    for note in notes:
        before = {each.request_id for each in limits.state.asked.values()}
        limits.take(note)
        asked = limits.state.asked
        assert {each.scope.key for each in note.reached} <= asked.keys()
        left = {each.request_id for each in asked.values()}
        assert not (before & set(note.idle) & left)
        assert len(left) == len(asked)
