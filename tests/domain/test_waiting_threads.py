"""A thread waits for a person as long as the inbox has something of it."""

from datetime import UTC, datetime

import pytest

from domain.agents.agents import SessionRole
from domain.agents.limits.money import CROWDED, HOLDS, OVER_LIMIT
from domain.conversations.events import (
    ConversationOpened,
    TurnDelayed,
    TurnResumed,
    TurnStarted,
)
from domain.core.ids import ThreadId
from domain.reading.inbox.threads import thread_items
from domain.reading.inbox.times import AskingTimes
from domain.reading.projection import ThreadFold
from domain.reading.task_activity import TaskActivity
from domain.tasks.status import TaskStatus
from domain.threads.details import thread_details
from domain.threads.events import PlanningFailed, PlanRequested, SessionOpened
from tests.domain.test_inbox import PLAN, RUNNING, items, proposed, updated


def test_a_thread_waits_for_what_the_inbox_has_of_it():
    plan = proposed(1).model_copy(update={"plan": PLAN.model_copy(update={"decisions": ()})})
    started = [RUNNING[0], ("", plan), *RUNNING[2:4]]
    view = status_after(started)
    assert (view.status, view.shown_status, view.waiting_for) == ("running", "running", "")

    failed = [
        *started,
        ("", updated("a", TaskStatus.FAILED)),
        ("", updated("b", TaskStatus.BLOCKED)),
    ]
    view = status_after([*failed, ("", updated("c", TaskStatus.RUNNING))])
    assert (view.status, view.shown_status) == ("waiting", "waiting")
    assert view.waiting_for == "failed tasks: retry them, or cancel the plan"
    fold = ThreadFold(ThreadId("thread-x"))
    items(failed, begin=lambda: fold)
    assert "**Needs you**: failed tasks" in thread_details(fold.thread)

    aborted = [*started, ("", updated("c", TaskStatus.CANCELLED))]  # one's own abort is none
    assert status_after(aborted).waiting_for == ""


def status_after(life):
    (view,) = items(life, find=lambda view, _: (view,))
    waits = thread_items(view, AskingTimes())
    assert bool(waits) is (view.waiting_for != "")
    return view


SESSION, OWN = "thread-x/session-1", "thread-x/a/session-1"
UNTIL = datetime(2026, 12, 1, tzinfo=UTC)


def at_work(of: str):
    """Return the life of a thread whose task works, or whose chat does."""
    if of == "task":
        plan = proposed(1).model_copy(update={"plan": PLAN.model_copy(update={"decisions": ()})})
        return OWN, "/a", [RUNNING[0], ("", plan), *RUNNING[2:4], *RUNNING[5:]]
    chat = SessionOpened(session_id=SESSION, role=SessionRole.CHAT, agent="scripted")
    opened = ConversationOpened(session_id=SESSION, role=SessionRole.CHAT, agent="scripted")
    started = TurnStarted(session_id=SESSION, turn_id="t1", number=1, prompt_name="message")
    below = "/session-1"
    return SESSION, below, [RUNNING[0], ("", chat), (below, opened), (below, started)]


@pytest.mark.parametrize("of", ["task", "chat"])
@pytest.mark.parametrize(
    ("provider", "asks"), [(OVER_LIMIT, True), (CROWDED, False), ("claude", False)]
)
def test_a_thread_waits_for_a_person_where_a_turn_waits_at_a_limit(of, provider, asks):
    session, below, life = at_work(of)
    delayed = TurnDelayed(
        session_id=session,
        turn_id="t1",
        provider=provider,
        reason="$2 of $2",
        until=UNTIL,
        refusals=1,
        pauses=int(provider in HOLDS),
    )
    resumed = TurnResumed(session_id=session, turn_id="t1")
    working, held, later = (
        items([*life, *((below, body) for body in more)], find=lambda view, _: view)
        for more in ((), (delayed,), (delayed, resumed))
    )

    before = "running" if of == "task" else "chat"
    assert (working.shown_status, later.shown_status) == (before, before)
    assert (held.status, held.shown_status) == (("waiting", "waiting") if asks else (before,) * 2)
    assert held.over_limits == (("$2 of $2",) if asks else ())
    assert (working.over_limits, later.over_limits) == ((), ())
    if of == "task":
        person, provider = TaskActivity.WAITING_FOR_PERSON, TaskActivity.WAITING_FOR_PROVIDER
        assert held.tasks[0].activity is (person if asks else provider)


def test_planning_without_a_plan_is_shown_as_waiting():
    session = "thread-x/session-1"
    planner = SessionOpened(session_id=session, role=SessionRole.PLANNER, agent="scripted")
    asked = PlanRequested(goal="Shop", session_id=session)
    failed = PlanningFailed(session_id=session, reason="no plan in 3 turns")
    view = status_after([RUNNING[0], *(("", body) for body in (planner, asked, failed))])
    assert (view.status, view.shown_status) == ("failed", "waiting")
