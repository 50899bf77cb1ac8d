"""Amendments that ask the person something new, for which their tasks wait."""

from typing import Any

import pytest

from domain.core.approval_commands import Decide
from domain.core.approvals import content_hash
from domain.core.errors import TreadleError
from tests.domain.running_plan import RunningPlan, add, modify, remove, task

STORE = {
    "id": "store",
    "question": "Where are the counters kept?",
    "options": [{"label": "memory"}, {"label": "redis"}],
}


@pytest.fixture
def plan() -> RunningPlan:
    return RunningPlan(task("t1"), task("t2", "t1"))


def test_a_new_question_is_on_the_card_and_holds_up_its_task_alone(plan: RunningPlan) -> None:
    request = plan.amend(add("t3", decision="store"), add("t4"), decisions=[STORE])
    shown = next(e for e in plan.events if e.kind == "amendment_proposed").model_dump()
    assert shown["lines"][0] == "adds 2 tasks, asks 1 question: it is better so"
    assert shown["lines"][-1] == "? store: Where are the counters kept? [memory | redis]"
    assert plan.state.open_decisions == []
    plan.decide(request)
    assert (plan.statuses["t3"], plan.statuses["t4"]) == ("needs_decision", "running")
    (asked,) = plan.state.open_decisions
    answer = Decide(
        decision_id="store", selections=("redis",), content_hash=content_hash(asked), by="ada"
    )
    plan.send(answer)
    assert plan.statuses["t3"] == "running"


def test_a_task_that_waits_already_can_be_made_to_wait_for_a_question(plan: RunningPlan) -> None:
    plan.decide(plan.amend(modify("t2", decision_id="store"), decisions=[STORE]))
    plan.complete("t1")
    assert plan.statuses["t2"] == "needs_decision"


@pytest.mark.parametrize(
    ("changes", "decisions", "words"),
    [
        ([add("t3")], [STORE], "no task of this amendment waits for it"),
        ([remove("t2")], [STORE], "no task of this amendment waits for it"),
        ([add("t3", decision="other")], [STORE], "unknown_decision"),
        ([add("t3", decision="store")], [STORE, STORE], "duplicate_id"),
        ([add("t3", decision="store")], [{**STORE, "options": [{"label": "x"}]}], "too_few"),
        ([add("t3", decision="store")], [{**STORE, "question": " "}], "the question is empty"),
        ([add("t3", decision="store")], [{"id": "store"}], "decisions.0.question"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(
    plan: RunningPlan, changes: list[dict[str, Any]], decisions: list[dict[str, Any]], words: str
) -> None:
    before = plan.state
    with pytest.raises(TreadleError, match=words):
        plan.amend(*changes, decisions=decisions)
    assert plan.state == before


def test_a_question_that_the_plan_asks_already_is_not_asked_again(plan: RunningPlan) -> None:
    plan.decide(plan.amend(add("t3", decision="store"), decisions=[STORE]))
    with pytest.raises(TreadleError, match="duplicate_id"):
        plan.amend(add("t4", decision="store"), decisions=[STORE])
    plan.amend(add("t4", decision="store"))
