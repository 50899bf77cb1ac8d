"""Amendments that lost a race are closed with the reason, and whoever answers them is told."""

from datetime import UTC, datetime
from typing import Any

import pytest

from domain.core.event import Event, EventBody
from domain.tasks.agent_commands import ProposeAmendment, ProposePlan
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort, Cancel, Retry
from domain.threads.amending.events import AmendmentClosed
from domain.threads.amending.history import AmendmentHistory
from domain.threads.events import PromptQueued
from domain.threads.planning.commands import RequestAmendment, RequestPlan
from tests.domain.running_plan import RunningPlan, abort, add, modify, remove, reorder, task


class ClosingPlan(RunningPlan):
    """A plan whose amendments are closed when they can't happen."""

    @property
    def closed(self) -> dict[str, str]:
        """What was closed, with the reasons."""
        return {e.request_id: e.reason for e in self.events if isinstance(e, AmendmentClosed)}


@pytest.fixture
def plan() -> ClosingPlan:
    """A completed task, a running one, one that waits for it, and one more that waits for that."""
    plan = ClosingPlan(task("t1"), task("t2", "t1"), task("t4", "t2"), task("t5", "t4"))
    plan.complete("t1")
    return plan


def view_of(events: list[EventBody], name: str):
    history = AmendmentHistory()
    for number, body in enumerate(events):
        at = datetime(2026, 1, 1, tzinfo=UTC)
        history.add(Event(id=f"thread:{number}", stream="thread", at=at, body=body))
    return history.amendments[name]


def test_the_second_of_two_is_closed_when_the_first_is_approved(plan: ClosingPlan) -> None:
    first, second = plan.amend(remove("t5")), plan.amend(add("t9"))
    late = plan.verdict(first)
    again = plan.verdict(second)
    answer = plan.decide(second)
    assert list(plan.closed) == [first]
    assert "version 2, amendment-2 by ada: adds 1 task" in plan.closed[first]
    assert plan.state.requests == {}
    assert plan.state.waiting_for != "approval of the amendment"
    error = plan.refuses(late)
    assert (error.status, error.type) == (409, "stale")
    assert plan.closed[first] in error.message
    assert plan.send(again) == answer
    view = view_of(plan.events, first)
    assert (view.status, view.reason) == ("closed", plan.closed[first])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (abort("t2"), "task 't2', which it would abort, was completed meanwhile"),
        (modify("t4", title="x"), "task 't4', which it would modify, was completed meanwhile"),
        (remove("t4"), "task 't4', which it would remove, was completed meanwhile"),
        (reorder("t4"), "task 't4', which it would reorder, was completed meanwhile"),
    ],
)
def test_one_of_a_task_that_was_completed_is_closed(change: dict[str, Any], words: str) -> None:
    plan = ClosingPlan(task("t2"), task("t4", "t2"), task("t5"))
    request = plan.amend(change, add("t9"))
    verdict = plan.verdict(request)
    plan.complete("t2", *(("t4",) if "t4" in words else ()))
    assert plan.closed == {request: words}
    assert plan.refuses(verdict).type == "task_completed"
    assert "t9" not in plan.statuses


def test_an_abort_of_a_run_that_failed_does_not_meet_the_next_run(plan: ClosingPlan) -> None:
    request = plan.amend(abort("t2"))
    verdict = plan.verdict(request)
    plan.fail("t2")
    plan.send(Retry(task_id="t2"))
    assert plan.statuses["t2"] == "running"
    assert plan.refuses(verdict).type == "wrong_state"
    assert "failed meanwhile" in plan.closed[request]


def test_an_approval_of_what_would_be_written_otherwise_now_is_stale(plan: ClosingPlan) -> None:
    request = plan.amend(modify("t4", title="other"))
    entry = plan.state.tasks["t4"]
    other = entry.task.model_copy(update={"description": "not what was shown"})
    tasks = {**plan.state.tasks, "t4": entry.model_copy(update={"task": other})}
    plan.state = plan.state.model_copy(update={"tasks": tasks})
    assert plan.refuses(plan.verdict(request)).type == "stale"


def test_what_can_happen_later_stays_open(plan: ClosingPlan) -> None:
    request = plan.amend(modify("t4", title="other"))
    verdict = plan.verdict(request)
    plan.complete("t2")
    assert plan.statuses["t4"] == "running"
    assert plan.closed == {}
    assert plan.refuses(verdict).type == "task_running"
    plan.send(Abort(task_id="t4"))
    plan.end("t4", TaskEnd.CANCELLED)
    plan.settle("t4")
    plan.send(verdict)
    assert plan.state.tasks["t4"].task.title == "other"


@pytest.mark.parametrize("ending", ["completed", "cancelled"])
def test_those_of_a_plan_that_ended_say_so_even_under_the_next_plan(
    plan: ClosingPlan, ending: str
) -> None:
    request = plan.amend(add("t9"))
    verdict = plan.verdict(request)
    if ending == "completed":
        plan.complete("t2", "t4", "t5")
    else:
        plan.send(Cancel())
    words = f"the plan was {ending} before a person decided"
    assert words in plan.refuses(verdict).message
    assert view_of(plan.events, request).reason == words
    carried = type(plan.state).model_validate_json(plan.state.without_old_texts().model_dump_json())
    assert carried.amending.lost == plan.state.amending.lost
    if ending == "completed":
        asked = plan.send(RequestPlan(command_id="again", goal="more"))
        proposal = {"summary": "do more", "tasks": [task("u1")]}
        plan.send(ProposePlan(session_id=asked.data["session_id"], plan=proposal))
        plan.decide(next(reversed(plan.state.requests)))
        assert list(plan.statuses) == ["u1"]
        assert words in plan.refuses(verdict).message


def test_the_planner_that_worked_it_out_looks_again(plan: ClosingPlan) -> None:
    asked = plan.send(RequestAmendment(command_id="r", text="t5 is not needed"))
    planner = asked.data["session_id"]
    proposal = ProposeAmendment(session_id=planner, amendment=plan.amendment(remove("t5")))
    request = plan.send(proposal).data["request_id"]
    plan.change(add("t9"))
    prompts = [e for e in plan.events if isinstance(e, PromptQueued) and e.session_id == planner]
    assert prompts[-1].prompt is not None
    assert prompts[-1].prompt.name == "amendment-feedback"
    fields = prompts[-1].prompt.fields
    assert (fields["amendment"], fields["version"]) == (request, "2")
    assert plan.closed[request] in fields["feedback"]
    plan.send(ProposeAmendment(session_id=planner, amendment=plan.amendment(remove("t5"))))
    assert "amendment-3" in plan.state.requests


def test_only_so_many_are_remembered(plan: ClosingPlan) -> None:
    for number in range(30):
        names = [plan.amend(add(f"{n}{number}")) for n in ("a", "b", "c")]
        plan.decide(names[0])
    assert len(plan.state.amending.lost) == 50
    assert len(plan.closed) == 60
