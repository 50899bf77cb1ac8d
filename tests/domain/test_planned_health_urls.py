"""A health check that no run would ask: refused when it is proposed, in threads that began with that rule."""

from typing import Any

import pytest

from domain.core.errors import InvalidAmendmentError, InvalidPlanError
from domain.threads.patches import ALL, HEALTH_URLS_ARE_CHECKED
from tests.domain.running_plan import RunningPlan, add, task

ELSEWHERE: dict[str, Any] = {
    "verification": [{"type": "http_health", "url": "http://localhost:@169.254.169.254/"}]
}
BEFORE = tuple(patch for patch in ALL if patch != HEALTH_URLS_ARE_CHECKED)


def test_a_plan_with_one_is_refused() -> None:
    with pytest.raises(InvalidPlanError, match="it has a user name"):
        RunningPlan(task("a", **ELSEWHERE), patches=ALL)


def test_an_amendment_with_one_is_refused() -> None:
    plan = RunningPlan(task("a"), patches=ALL)
    with pytest.raises(InvalidAmendmentError, match="it has a user name"):
        plan.amend(add("b", **ELSEWHERE))


def test_a_plan_without_tasks_is_checked_too() -> None:
    with pytest.raises(InvalidPlanError, match="it has a user name"):
        RunningPlan(patches=ALL, **ELSEWHERE)


def test_a_thread_that_began_before_keeps_what_it_took() -> None:
    plan = RunningPlan(task("a", **ELSEWHERE), patches=BEFORE)
    plan.change(add("b", **ELSEWHERE))
    assert set(plan.statuses) == {"a", "b"}
