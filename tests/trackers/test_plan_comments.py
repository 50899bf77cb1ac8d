"""The comment that shows a plan: whole with its code where it fits, and bounded whatever the plan says."""

import pytest

from domain.core.approvals import ApprovalRequest, Subject
from domain.core.ids import RequestId, SessionId
from domain.plans.best_of import BestOf
from domain.plans.plan import Plan, PlannedTask
from domain.threads.planning.state import ProposedPlan
from domain.trackers.state import TrackedIssue
from domain.trackers.words import PlanComment, plan_comment
from tests.trackers.paper import PaperTracker

MOST = 32_767
"""Characters of a comment that Jira takes."""


def commented(description: str, best_of: BestOf | None = None) -> PlanComment:
    task = PlannedTask(id="t1", title="one", description=description, best_of=best_of)
    plan = Plan(goal="g", summary="The links are mended.", tasks=(task,))
    request = ApprovalRequest(
        request_id=RequestId("plan-1"),
        subject=Subject.PLAN,
        title="g",
        content_hash=plan.content_hash,
    )
    proposed = ProposedPlan(revision=1, session_id=SessionId("s"), plan=plan, request=request)
    issue = TrackedIssue(ref=PaperTracker().open("1").ref, entry_id="thread-issue-1")
    return plan_comment(b"k" * 32, issue, proposed)


@pytest.mark.parametrize("description", ["mend it", "word " * 5_000, "`" * 9_000, "\x1b" * 3_000])
def test_a_plan_that_fits_is_whole_and_can_be_approved(description: str) -> None:
    found = commented(description)
    assert found.shown.is_whole
    assert f"/treadle approve {found.shown.code}" in found.text
    assert len(found.text) <= MOST


@pytest.mark.parametrize("text", ["word ", "`", "\x1b", "\u202e", "`a"])
@pytest.mark.parametrize("times", [20_000, 200_000])
def test_a_longer_one_is_cut_to_what_every_tracker_takes(text: str, times: int) -> None:
    found = commented(f"{text * times}.")
    assert len(found.text) <= MOST
    assert "The links are mended." in found.text
    assert not found.shown.is_whole
    assert "/treadle approve" not in found.text
    assert "read and approve it in Treadle" in found.text


def test_it_says_which_agents_do_a_task_at_once() -> None:
    assert "best of claude, codex" in commented("x", BestOf(agents=("claude", "codex"))).text
    assert "best of" not in commented("x", BestOf()).text
