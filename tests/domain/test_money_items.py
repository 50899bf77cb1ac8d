"""Spending limits in the inbox: of which project they are, what they hold, and whose they are."""

import pytest

from domain.agents.limits.money import Limited, LimitScope, SpentLimit
from domain.money.events import LimitReached, MoneyOpened
from domain.money.requests import request_of
from domain.money.rules import fold
from domain.money.state import MoneyState
from domain.people.roles import Role
from domain.reading.inbox.item import InboxItem
from domain.reading.inbox.money import money_items, threads_asked
from domain.reading.inbox.own import is_of
from domain.reading.money import MoneyFold

MONTH = LimitScope(kind=Limited.MONTH, name="2026-11")
PROJECT = LimitScope(kind=Limited.PROJECT, name="/src/shop", month="2026-11")
THREAD = LimitScope(kind=Limited.THREAD, name="thread-a")
TASK = LimitScope(kind=Limited.TASK, name="thread-b/t1")


def asked(*scopes: LimitScope) -> MoneyFold:
    found = MoneyFold()
    events = [
        LimitReached(request=request_of(SpentLimit(scope=scope, limit=2, spent=2), n, None))
        for n, scope in enumerate(scopes)
    ]
    found.state = fold(MoneyState(), [MoneyOpened(), *events])
    return found


def items(*scopes: LimitScope, **held: tuple[str, ...]) -> tuple[InboxItem, ...]:
    found = asked(*scopes)
    names = {scope.key: held.get(scope.kind, ()) for scope in scopes}
    projects = {str(name): f"/src/of-{name}" for name in threads_asked(found)}
    return money_items(found, "2026-11", names, projects)


def test_each_limit_is_in_the_project_of_what_it_is_of():
    found = items(MONTH, PROJECT, THREAD, TASK)
    assert [(each.thread_id, each.project) for each in found] == [
        (None, ""),
        (None, "/src/shop"),
        ("thread-a", "/src/of-thread-a"),
        ("thread-b", "/src/of-thread-b"),
    ]


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "Turns wait."),
        (1, "Turns of 1 thread wait: thread-0."),
        (
            7,
            "Turns of 7 threads wait: thread-0, thread-1, thread-2, thread-3, thread-4 and 2 more.",
        ),
    ],
)
def test_a_limit_of_a_month_says_which_threads_it_holds(number: int, words: str):
    threads = tuple(f"thread-{n}" for n in range(number))
    [item] = items(MONTH, month=threads)
    assert item.held_threads == threads
    assert item.reason.startswith(words)


def test_a_limit_of_a_thread_names_no_others():
    [item] = items(THREAD, thread=("thread-a",))
    assert (item.held_threads, item.reason) == ((), "Turns wait. Raise the limit or stop them.")


@pytest.mark.parametrize(
    ("scope", "role", "is_mine"),
    [
        (MONTH, Role.APPROVER, False),
        (MONTH, Role.ADMIN, True),
        (PROJECT, Role.APPROVER, True),
        (THREAD, Role.APPROVER, True),
        (THREAD, Role.AUTHOR, False),
    ],
)
def test_it_is_theirs_who_may_raise_it(scope: LimitScope, role: Role, is_mine: bool):
    [item] = items(scope)
    assert is_of(item, "ada", lambda _: role) is is_mine
