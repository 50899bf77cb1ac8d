"""What a fork takes along of the settings that an approver gave one thread."""

import pytest

from domain.plans.settings import PlannerSettings
from domain.plans.templates.template import PlanApproval

USUAL = PlannerSettings(max_task_usd=1.0, own_turns=5)
GIVEN = PlannerSettings(
    auto_run=True,
    plan_approval=PlanApproval.AUTO,
    max_task_usd=50.0,
    max_thread_usd=9.0,
    own_turns=3,
)


def test_who_approves_nothing_gets_no_more_than_is_usual() -> None:
    found = GIVEN.without_favours(USUAL)

    assert (found.auto_run, found.plan_approval) == (False, None)
    assert (found.max_task_usd, found.max_thread_usd) == (1.0, 9.0), "the lower one counts"
    assert found.own_turns == 3, "the rest is the thread's"


@pytest.mark.parametrize("usual", [USUAL, GIVEN])
def test_what_is_stricter_stays(usual: PlannerSettings) -> None:
    strict = PlannerSettings(plan_approval=PlanApproval.USER, max_task_usd=0.5, max_thread_usd=0.5)

    assert strict.without_favours(usual) == strict
