"""What no amendment may do, each with its type and status."""

from typing import Any

import pytest

from domain.core.errors import TreadleError
from domain.plans.status import PlanStatus
from domain.tasks.running_commands import Cancel
from domain.threads.planning.commands import Amend, RequestAmendment
from tests.domain.running_plan import RunningPlan, abort, add, modify, remove, reorder, task


@pytest.fixture
def plan() -> RunningPlan:
    """A completed task, a running one, one that waits for it, and one more that waits for that."""
    plan = RunningPlan(task("t1"), task("t2", "t1"), task("t4", "t2"), task("t5", "t4"))
    plan.complete("t1")
    assert plan.statuses == {
        "t1": "completed",
        "t2": "running",
        "t4": "pending",
        "t5": "pending",
    }
    return plan


REFUSED = [
    ("modify a completed task", [modify("t1", title="x")], 409, "task_completed", "t1"),
    ("remove a completed task", [remove("t1")], 409, "task_completed", "t1"),
    ("abort a completed task", [abort("t1")], 409, "task_completed", "t1"),
    ("reorder a completed task", [reorder("t1")], 409, "task_completed", "t1"),
    ("modify a running task", [modify("t2", title="x")], 409, "task_running", "abort it first"),
    ("remove a running task", [remove("t2")], 409, "task_running", "abort it first"),
    ("reorder a running task", [reorder("t4", "t2")], 409, "task_running", "abort it first"),
    ("remove what others need", [remove("t4")], 422, "has_dependents", "needed by t5"),
    ("add an id that is there", [add("t4")], 409, "duplicate_id", "t4"),
    ("add an id twice", [add("t9"), add("t9")], 409, "duplicate_id", "twice"),
    (
        "new dependency of a started task",
        [add("t9"), modify("t2", depends_on=["t9"])],
        409,
        "task_running",
        "nor depend on other tasks",
    ),
    ("an own dependency", [modify("t4", depends_on=["t4"])], 422, "cycle", "t4 → t4"),
    ("a cycle", [modify("t4", depends_on=["t5"])], 422, "cycle", "t4 → t5 → t4"),
    (
        "a dependency on nothing",
        [add("t9", "nobody")],
        422,
        "unknown_dependency",
        "'nobody'",
    ),
    ("modify what is not there", [modify("t9", title="x")], 422, "unknown_task", "t1, t2, t4"),
    (
        "two changes of one task",
        [modify("t5", title="x"), remove("t5")],
        422,
        "invalid_amendment",
        "make it one change",
    ),
    ("a task without a title", [{"change": "add", "task": {"id": "t9"}}], 422, None, "title"),
    ("a bad id", [add("T 9")], 422, None, "bad_id"),
    ("an unknown change", [{"change": "kill", "task_id": "t4"}], 422, None, "kill"),
    ("no change", [], 422, None, "changes"),
]


@pytest.mark.parametrize(
    ("changes", "status", "kind", "said"), [r[1:] for r in REFUSED], ids=[r[0] for r in REFUSED]
)
def test_what_may_not_change_is_refused_with_its_type(
    plan: RunningPlan, changes: list[dict[str, Any]], status: int, kind: str | None, said: str
) -> None:
    asked = Amend(command_id="a", amendment=plan.amendment(*changes), by="ada")
    error = plan.refuses(asked)
    assert (error.status, error.type) == (status, kind or "invalid_amendment")
    assert said in error.message


def test_every_problem_is_reported_at_once(plan: RunningPlan) -> None:
    changes = [remove("t1"), modify("t2", title="x"), add("t9", "nobody")]
    error = plan.refuses(Amend(amendment=plan.amendment(*changes)))
    assert error.type == "invalid_amendment"
    for kind in ("task_completed", "task_running", "unknown_dependency"):
        assert kind in error.message


@pytest.mark.parametrize("raw", [None, 7, "text", [], {}, {"why": " ", "changes": [{}]}])
def test_what_is_no_amendment_is_refused(plan: RunningPlan, raw: object) -> None:
    assert plan.refuses(Amend(amendment=raw)).type == "invalid_amendment"


def test_a_large_amendment_is_refused(plan: RunningPlan) -> None:
    raw = plan.amendment(add("t9", description="x" * 70_000))
    assert "at most 65536" in plan.refuses(Amend(amendment=raw)).message


@pytest.mark.parametrize("status", ["idle", "cancelled"])
def test_what_does_not_run_is_not_amended(plan: RunningPlan, status: str) -> None:
    plan.send(Cancel())
    if status == "idle":
        plan.state = plan.state.model_copy(update={"plan_status": PlanStatus.IDLE})
    for command in (
        RequestAmendment(text="x"),
        Amend(amendment=plan.amendment(add("t9"))),
    ):
        assert plan.refuses(command).type == "wrong_state"


def test_errors_have_statuses_of_their_own() -> None:
    kinds = {kind.type: kind.status for kind in _all(TreadleError)}
    expected = {"task_completed": 409, "task_running": 409, "duplicate_id": 409, "stale": 409}
    assert {name: kinds[name] for name in expected} == expected
    assert kinds["has_dependents"] == kinds["cycle"] == kinds["too_deep"] == 422


def _all(root: type[TreadleError]) -> list[type[TreadleError]]:
    return [root, *(found for child in root.__subclasses__() for found in _all(child))]
