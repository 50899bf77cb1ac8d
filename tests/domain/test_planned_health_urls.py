"""A health check that no run would ask: refused when it is proposed, in threads that began with that rule."""

from typing import Any

import pytest

from domain.core.errors import InvalidAmendmentError, InvalidPlanError
from domain.plans.proposals.limits import PlanRules
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate
from domain.threads.patches import ALL, HEALTH_URLS_ARE_CHECKED
from domain.verification.health_url import check_url
from domain.verification.steps import with_ports
from tests.domain.running_plan import RunningPlan, add, task

ELSEWHERE: dict[str, Any] = {
    "verification": [{"type": "http_health", "url": "http://localhost:@169.254.169.254/"}]
}
PLAIN = PlanTemplate(name="plain")
NOW = PlanRules(checks_health_urls=True)
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


def plan_with(url: str) -> dict[str, Any]:
    return {
        "tasks": [
            task("a", ports=[{"id": "a"}], verification=[{"type": "http_health", "url": url}])
        ]
    }


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.com/health", "only localhost"),
        ("https://localhost:1/", "only http is asked"),
        ("http://localhost:pw@evil.com/", "it has a user name"),
        ("http://localhost:@169.254.169.254/", "it has a user name"),
        ("http://localhost:${ports.a}@evil.com/", "it has a user name"),
        ("http://localhost:abc/", "'abc' is not a port"),
        ("http://localhost:70000/", "'70000' is not a port"),
        ("http://localhost:1${ports.a}/", "'165535' is not a port"),
        ("http://localhost:$${ports.a}/", "'${ports.a}' is not a port"),
        ("http://localhost/", "only localhost"),
        ("http://localhost.evil.com:${ports.a}/", "only localhost"),
        ("http://localhost:${ports.a}\\@evil.com/", "it holds characters"),
        ("http://localhost:${ports.a}/#x", "it holds characters"),
    ],
)
def test_one_that_no_run_would_ask_is_refused_with_the_reason(url: str, reason: str) -> None:
    with pytest.raises(InvalidPlanError) as refused:
        read_plan(plan_with(url), PLAIN, rules=NOW)
    assert f"bad_value: url {url!r}: {reason}" in refused.value.message


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:${ports.a}",
        "http://127.0.0.1:${ports.a}/health?full=1",
        "http://[::1]:${ports.a}/a@b",
        "GET http://localhost:${ports.a}/",
        "http://localhost:8080/",
    ],
)
def test_one_of_this_host_is_taken_and_asked(url: str) -> None:
    (checked,) = read_plan(plan_with(url), PLAIN, rules=NOW).plan.tasks
    asked = with_ports(checked.verification[0].subject, {"a": 8080})
    assert check_url(asked, {8080}) == 8080
