"""The ledger of turns, on SQLite and PostgreSQL alike: reserved once, settled once, never beyond a limit."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from adapters.journal import open_journal
from domain.agents.billing import MoneyOptions
from domain.agents.ledger import LimitsByPerson, TurnEntry
from domain.agents.limits.money import Limited, LimitScope, TurnLimits
from domain.core.ids import StreamId
from domain.core.money import Money
from domain.money.requests import request_of
from domain.plans.estimates import Expected

DOLLAR = 1_000_000
CENTURY = timedelta(days=36_500)
NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
NOVEMBER = LimitScope(kind=Limited.MONTH, name="2026-11")


class Clock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
async def journal(url):
    async with open_journal(url) as journal:
        yield journal


@pytest.fixture
def ledger(journal, clock):
    """A month's limit of two dollars, and turns that reserve half of one."""
    ledger = journal.ledger(MoneyOptions(month_usd=2, turn_usd=0.5))
    ledger._now = clock
    return ledger


def entry(number: int, **of: object) -> TurnEntry:
    thread = str(of.pop("thread", "thread-a"))
    fields = {"task": f"{thread}/t1", "project": "/shop", "agent": "claude", **of}
    turn = f"{thread}/t1/session-1/turn-{number}"
    fields = {"owner": f"{thread}/t1", **fields}
    return TurnEntry(key=f"{turn}:0", turn=turn, thread=thread, **fields)


def paid(usd: float) -> Money:
    return Money(told=round(usd * DOLLAR))


async def test_a_turn_reserves_once_whatever_is_tried_again(ledger):
    for _ in range(3):
        assert (await ledger.reserve(entry(1))).is_admitted

    (month,) = await ledger.accounts(entry(2))
    assert (month.reserved, month.running, month.settled) == (DOLLAR // 2, 1, 0)


async def test_a_turn_is_settled_once_whatever_is_tried_again(ledger):
    await ledger.reserve(entry(1))
    for _ in range(3):
        await ledger.settle(entry(1), paid(0.3))
        assert (await ledger.reserve(entry(1))).is_admitted  # its activity is tried again

    (month,) = await ledger.accounts(entry(2))
    assert (month.reserved, month.running, month.settled) == (0, 0, 300_000)


async def test_turns_that_start_together_do_not_reserve_beyond_the_limit(ledger):
    starts = [ledger.reserve(entry(n, thread=f"thread-{n}")) for n in range(20)]
    admissions = await asyncio.gather(*starts)

    assert sum(each.is_admitted for each in admissions) == 4
    assert all(each.reached == () for each in admissions)
    (month,) = await ledger.accounts(entry(99))
    assert month.reserved == 2 * DOLLAR


async def test_a_turn_that_ends_lets_those_try_again_that_find_room(ledger):
    for n in range(5):
        await ledger.reserve(entry(n, thread=f"thread-{n}"))

    _, owners = await ledger.settle(entry(0, thread="thread-0"), paid(0.45))

    assert owners == ()  # 0.45 is spent and 1.50 reserved: the 0.45 of another turn are not left
    _, owners = await ledger.settle(entry(1, thread="thread-1"), paid(0.1))
    assert owners == ("thread-4/t1",)
    assert (await ledger.reserve(entry(4, thread="thread-4"))).is_admitted


async def test_at_a_limit_the_next_turn_waits_and_a_higher_limit_frees_it(ledger):
    await ledger.reserve(entry(1))
    near, _ = await ledger.settle(entry(1), paid(2.5))
    assert near.near[0].spent == 2_500_000

    waits = await ledger.reserve(entry(2))
    assert not waits.is_admitted
    assert (waits.reached[0].scope, waits.reached[0].limit) == (NOVEMBER, 2 * DOLLAR)
    assert [each.owner for each in await ledger.waiting(NOVEMBER)] == ["thread-a/t1"]

    assert await ledger.raise_limit(NOVEMBER, 5 * DOLLAR) == ("thread-a/t1",)
    assert (await ledger.reserve(entry(2))).is_admitted
    assert await ledger.waiting(NOVEMBER) == ()


async def test_a_raised_limit_is_of_its_month_alone(ledger, clock):
    await ledger.raise_limit(NOVEMBER, 9 * DOLLAR)
    clock.now = datetime(2026, 12, 1, tzinfo=UTC)

    (month,) = await ledger.accounts(entry(1))
    assert (month.scope.name, month.limit) == ("2026-12", 2 * DOLLAR)


async def test_a_new_month_has_all_of_its_limit(ledger, clock):
    await ledger.settle(entry(1), paid(2))
    assert not (await ledger.reserve(entry(2))).is_admitted

    clock.now = datetime(2026, 12, 1, tzinfo=UTC)
    assert (await ledger.reserve(entry(2))).is_admitted


async def test_a_task_and_a_thread_have_limits_of_their_own(ledger):
    limits = TurnLimits(thread="thread-a", thread_usd=1, task_usd=0.2)
    await ledger.settle(entry(1, limits=limits), paid(0.2))

    waits = await ledger.reserve(entry(2, limits=limits))
    other = await ledger.reserve(entry(3, limits=limits, task="thread-a/t2"))

    assert [each.scope.kind for each in waits.reached] == [Limited.TASK]
    assert other.is_admitted


async def test_threads_below_a_thread_count_for_its_limit(ledger):
    limits = TurnLimits(thread="thread-a", thread_usd=1)
    await ledger.settle(entry(1, limits=limits, thread="thread-a-child"), paid(1))

    waits = await ledger.reserve(entry(2, limits=limits))

    assert [each.scope.name for each in waits.reached] == ["thread-a"]
    assert await ledger.threads(["thread-a", "thread-a-child"]) == {
        "thread-a-child": paid(1),
        "thread-a": Money(),
    }


async def test_what_a_person_sets_goes_before_the_settings(ledger):
    await ledger.set_monthly(LimitsByPerson(project=DOLLAR, month=None))
    (project,) = await ledger.accounts(entry(1))
    assert (project.scope.kind, project.limit) == (Limited.PROJECT, DOLLAR)

    await ledger.set_monthly(None)
    (month,) = await ledger.accounts(entry(1))
    assert (month.scope.kind, month.limit) == (Limited.MONTH, 2 * DOLLAR)


async def test_turns_on_a_flat_plan_wait_for_no_limit(ledger):
    await ledger.settle(entry(1), paid(2))
    assert (await ledger.reserve(entry(2, is_included=True))).is_admitted


async def test_a_turn_reserves_what_nine_of_ten_of_its_kind_cost(ledger):
    for n, usd in enumerate([0.1] * 9 + [0.4]):
        await ledger.settle(entry(n), paid(usd / 10))
    await ledger.reserve(entry(99))

    (month,) = await ledger.accounts(entry(100))
    assert month.reserved == 10_000


async def test_turns_of_unknown_cost_are_counted_in_what_is_told(ledger):
    await ledger.settle(entry(1), Money(unknown=1))
    await ledger.settle(entry(2), paid(2))

    waits = await ledger.reserve(entry(3))

    assert waits.reached[0].unknown == 1
    assert "1 turn of unknown cost" in request_of(waits.reached[0], 1, None).words


async def test_what_no_activity_settles_any_more_is_found_and_given_back(ledger, clock):
    await ledger.reserve(entry(1))
    clock.now = datetime.now(UTC) + timedelta(hours=1)
    (lost,) = await ledger.reserved(timedelta(minutes=30))

    await ledger.settle_lost(lost, Money(unknown=1))
    await ledger.settle_lost(lost, Money(unknown=1))

    assert await ledger.reserved(timedelta()) == []
    assert (await ledger.threads(["thread-a"]))["thread-a"] == Money(unknown=1)


async def test_a_deleted_thread_keeps_its_sum_and_loses_its_name(ledger, journal):
    await ledger.settle(entry(1), paid(1.5))
    await journal.forget(StreamId("thread-a"))

    assert await ledger.threads(["thread-a"]) == {}
    (month,) = await ledger.accounts(entry(2))
    assert month.settled == 1_500_000


async def test_a_thread_that_is_deleted_while_it_reserves_holds_nothing(ledger, journal):
    limits = TurnLimits(thread_usd=1)
    await ledger.reserve(entry(1, limits=limits))
    scope = LimitScope(kind=Limited.THREAD, name="thread-a")
    task = LimitScope(kind=Limited.TASK, name="thread-a/t1")
    for each in (scope, task):
        await ledger.raise_limit(each, 3 * DOLLAR)
    await journal.forget(StreamId("thread-a"))

    (month,) = await ledger.accounts(entry(2, limits=TurnLimits(), task=""))
    assert (month.reserved, month.running, month.unknown) == (0, 0, 1)
    assert await ledger.reserved(-CENTURY) == []


async def test_monthly_limits_go_before_those_that_were_raised_earlier(ledger):
    shop = LimitScope(kind=Limited.PROJECT, name="/shop", month="2026-11")
    for scope in (NOVEMBER, shop):
        await ledger.raise_limit(scope, 9 * DOLLAR)
    await ledger.set_monthly(LimitsByPerson(project=DOLLAR, month=3 * DOLLAR))

    accounts = await ledger.accounts(entry(1))
    assert [account.limit for account in accounts] == [DOLLAR, 3 * DOLLAR]


async def test_a_lower_limit_of_a_child_does_not_hold_the_others_of_its_thread(ledger):
    await ledger.set_monthly(LimitsByPerson())
    low, high = (TurnLimits(thread="thread-a", thread_usd=usd) for usd in (0.1, 1))
    await ledger.settle(entry(1, limits=high), paid(0.2))
    await ledger.reserve(entry(2, limits=low, thread="thread-low"))
    await ledger.reserve(entry(3, limits=high))
    await ledger.reserve(entry(4, limits=high, thread="thread-high"))
    for number in (5, 6, 7):
        await ledger.reserve(entry(number, limits=high, thread=f"thread-{number}"))

    _, owners = await ledger.settle(entry(3, limits=high), paid(0))

    assert owners == ("thread-7/t1",)


async def test_turns_that_were_stopped_do_not_have_a_limit_asked_again(ledger):
    await ledger.reserve(entry(1))
    await ledger.settle(entry(2), paid(2))
    await ledger.reserve(entry(3, thread="thread-b"))
    waiting = await ledger.waiting(NOVEMBER)
    waits = await ledger.waits(-CENTURY)
    assert [each.key for each in waits] == [each.key for each in waiting]
    assert [each.owner for each in waits] == ["thread-b/t1"]

    await ledger.stopped([each.key for each in waits])

    told, _ = await ledger.settle(entry(1), paid(1))
    assert told.reached == ()


async def test_nobody_is_told_of_the_limit_of_a_month_that_is_over(ledger, clock):
    await ledger.reserve(entry(1))
    await ledger.settle(entry(2), paid(2))
    await ledger.reserve(entry(3, thread="thread-b"))
    clock.now = datetime(2026, 12, 1, tzinfo=UTC)

    told, _ = await ledger.settle(entry(1), paid(1))

    assert (told.near, told.reached) == ((), ())
    (month,) = await ledger.accounts(entry(4))
    assert (month.scope.name, month.settled) == ("2026-12", 0)


async def test_each_candidate_of_a_task_is_a_task_to_plans_that_are_estimated(ledger):
    for number, (candidate, usd) in enumerate(zip("abc", (1, 2, 3), strict=True)):
        done = {"task": "thread-a/app", "owner": f"thread-a/app.{candidate}", "work": "code"}
        await ledger.settle(entry(number, **done), paid(usd))

    found = await ledger.estimate([Expected(mode="code", agent="claude")], "/shop")

    assert (found.samples, found.low, found.high) == (3, DOLLAR, 3 * DOLLAR)
