"""A thread waits for a person as long as the inbox has something of it."""

from domain.agents.agents import SessionRole
from domain.core.ids import ThreadId
from domain.reading.inbox.threads import thread_items
from domain.reading.inbox.times import AskingTimes
from domain.reading.projection import ThreadFold
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


def test_planning_without_a_plan_is_shown_as_waiting():
    session = "thread-x/session-1"
    planner = SessionOpened(session_id=session, role=SessionRole.PLANNER, agent="scripted")
    asked = PlanRequested(goal="Shop", session_id=session)
    failed = PlanningFailed(session_id=session, reason="no plan in 3 turns")
    view = status_after([RUNNING[0], *(("", body) for body in (planner, asked, failed))])
    assert (view.status, view.shown_status) == ("failed", "waiting")
