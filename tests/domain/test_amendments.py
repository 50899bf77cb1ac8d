"""Amendments of a running plan: what may change, what it becomes, who decides."""

import pytest

from domain.core.approval_commands import Reject
from domain.plans.templates.template import PlanTemplate, VerificationDefaults
from domain.tasks.agent_commands import ProposeAmendment
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort, AbortAll, Pause, Resume, Retry
from domain.threads.events import PromptQueued
from domain.threads.planning.commands import Amend
from domain.verification.steps import StepType, VerificationStep
from tests.domain.running_plan import (
    CHAT,
    RunningPlan,
    abort,
    add,
    modify,
    remove,
    reorder,
    task,
)


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


def test_the_card_has_a_line_for_each_change(plan: RunningPlan) -> None:
    plan.amend(
        {"change": "add", "task": task("t7", "t1"), "reason": "replaces pending t4"},
        remove("t4", reason="superseded by t7"),
        modify("t5", description="new", dependsOn=["t7"]),
        abort("t2"),
        reorder("t5"),
    )
    proposed = plan.events[-1].model_dump()
    assert proposed["lines"] == (
        "adds 1 task, modifies 1 task, removes 1 task, reorders, aborts 1 task: it is better so",
        "+ t7: T7 (replaces pending t4)",
        "    depends on: t1 (T1)",
        "- t4: removed, T4 (superseded by t7)",
        "~ t5: modified description; depends on t7 instead of t4",
        "- t2: aborted while it runs, T2",
        "~ order: t5, before all that wait",
    )


def test_an_approved_amendment_happens_as_a_whole_and_touches_nothing_that_runs(
    plan: RunningPlan,
) -> None:
    before = plan.state.tasks["t2"]
    plan.change(add("t7", "t1"), remove("t4"), modify("t5", depends_on=["t7"]))
    assert plan.statuses == {
        "t1": "completed",
        "t2": "running",
        "t5": "pending",
        "t7": "running",
    }
    assert plan.state.tasks["t2"] == before
    assert plan.state.tasks["t5"].task.title == "T5"
    assert plan.state.amending.version == 2


def test_nothing_changes_before_the_approval(plan: RunningPlan) -> None:
    before = plan.state.tasks
    plan.propose(remove("t5"))
    assert plan.state.tasks == before
    assert plan.state.waiting_for == "approval of the amendment"


def test_a_rejected_amendment_goes_back_to_its_session(plan: RunningPlan) -> None:
    before = plan.state.tasks
    plan.decide(plan.propose(remove("t5")), Reject, "keep it, but do it last")
    prompt = plan.events[-1]
    assert isinstance(prompt, PromptQueued)
    assert prompt.prompt is not None
    assert (prompt.session_id, prompt.prompt.name) == (CHAT, "amendment-feedback")
    assert prompt.prompt.fields["feedback"] == "keep it, but do it last"
    assert (plan.state.tasks, plan.state.amending.version) == (before, 1)


def test_a_rejection_without_feedback_is_refused(plan: RunningPlan) -> None:
    request = plan.propose(remove("t5"))
    assert plan.refuses(plan.verdict(request, Reject, "  ")).status == 422


def test_an_old_version_is_stale_with_what_changed(plan: RunningPlan) -> None:
    first, second = plan.amend(remove("t5")), plan.amend(add("t9"))
    verdict = plan.verdict(first)
    plan.decide(second)
    error = plan.refuses(verdict)
    assert (error.status, error.type) == (409, "stale")
    assert "version 2, amendment-2 by ada: adds 1 task" in error.message
    late = plan.refuses(Amend(amendment=plan.amendment(remove("t5"), base_version=1)))
    assert late.type == "stale"
    early = plan.refuses(Amend(amendment=plan.amendment(remove("t5"), base_version=9)))
    assert early.type == "stale"


def test_another_hash_is_not_what_was_shown(plan: RunningPlan) -> None:
    request = plan.amend(remove("t5"))
    other = plan.verdict(request).model_copy(update={"content_hash": "0" * 64})
    assert plan.refuses(other).type == "not_what_was_shown"


def test_the_same_decision_again_is_the_same_and_another_is_refused(plan: RunningPlan) -> None:
    request = plan.amend(remove("t5"))
    approval = plan.verdict(request)
    rejection = plan.verdict(request, Reject, "no")
    first = plan.send(approval)
    count = len(plan.events)
    assert plan.send(approval) == first
    assert len(plan.events) == count
    assert plan.refuses(rejection).type == "already_decided"


def test_what_happened_meanwhile_is_checked_at_the_approval(plan: RunningPlan) -> None:
    request = plan.amend(abort("t2"), add("t9"))
    verdict = plan.verdict(request)
    plan.complete("t2")
    error = plan.refuses(verdict)
    assert (error.status, error.type) == (409, "task_completed")
    assert "t9" not in plan.statuses
    request = plan.amend(remove("t5"))
    plan.complete("t4")
    assert plan.statuses["t5"] == "running"
    assert plan.refuses(plan.verdict(request)).type == "task_running"


def test_a_run_that_is_being_merged_is_not_aborted(plan: RunningPlan) -> None:
    request = plan.amend(abort("t2"))
    plan.end("t2")
    assert plan.refuses(plan.verdict(request)).type == "wrong_state"


def test_an_abort_is_said_once_and_its_dependants_are_blocked(plan: RunningPlan) -> None:
    plan.change(abort("t2"), add("t9", "t2"))
    assert plan.kinds().count("task_abort_requested") == 1
    assert plan.statuses["t2"] == "running"
    plan.end("t2", TaskEnd.CANCELLED)
    plan.settle("t2")
    assert plan.statuses == {
        "t1": "completed",
        "t2": "cancelled",
        "t4": "blocked",
        "t5": "blocked",
        "t9": "blocked",
    }


def test_what_a_person_aborts_is_not_merged_though_its_run_was_accepted_meanwhile(
    plan: RunningPlan,
) -> None:
    plan.send(Abort(task_id="t2", by="ada"))
    plan.end("t2")
    plan.settle("t2")

    assert plan.statuses["t2"] == "cancelled"
    assert "task_merged" not in [e.kind for e in plan.events if getattr(e, "task_id", "") == "t2"]
    assert "aborted by ada before its merge" in plan.state.tasks["t2"].notes


def test_an_abort_of_a_task_that_waits_cancels_it(plan: RunningPlan) -> None:
    plan.change(abort("t4"), add("t9"))
    assert plan.statuses == {
        "t1": "completed",
        "t2": "running",
        "t4": "cancelled",
        "t5": "blocked",
        "t9": "running",
    }


def test_new_and_modified_tasks_get_their_status_at_once(plan: RunningPlan) -> None:
    plan.fail("t2")
    assert plan.statuses["t5"] == "blocked"
    plan.change(add("t8", "t5"), modify("t5", depends_on=["t1"]), add("t9", "t2"))
    assert plan.statuses == {
        "t1": "completed",
        "t2": "failed",
        "t4": "blocked",
        "t5": "running",
        "t8": "pending",
        "t9": "blocked",
    }


def test_a_failed_task_is_modified_and_then_retried(plan: RunningPlan) -> None:
    plan.fail("t2")
    plan.change(modify("t2", description="another way"))
    assert plan.statuses["t2"] == "failed"
    plan.send(Retry(task_id="t2"))
    assert plan.statuses["t2"] == "running"
    assert plan.state.tasks["t2"].task.description == "another way"
    assert plan.state.tasks["t2"].run == 2


def test_abort_all_amend_and_restart(plan: RunningPlan) -> None:
    plan.send(AbortAll())
    plan.end("t2", TaskEnd.CANCELLED)
    plan.settle("t2")
    assert plan.state.plan_status == "paused"
    plan.change(
        modify("t2", description="another way"), remove("t4"), modify("t5", depends_on=["t2"])
    )
    assert plan.statuses == {"t1": "completed", "t2": "cancelled", "t5": "blocked"}
    plan.send(Resume())
    plan.send(Retry(task_id="t2"))
    plan.complete("t2", "t5")
    assert plan.state.plan_status == "completed"


def test_an_amendment_that_removes_all_that_is_left_completes_the_plan(plan: RunningPlan) -> None:
    plan.complete("t2")
    plan.send(Pause())
    plan.complete("t4")
    stale = plan.amend(add("t9"))
    plan.change(remove("t5"))
    assert plan.state.plan_status == "completed"
    assert plan.state.requests == {}
    error = plan.refuses(Amend(amendment=plan.amendment(add("t9"))))
    assert (error.type, "another plan" in error.message) == ("wrong_state", True)
    assert stale not in plan.state.outcomes


def test_a_plan_without_any_task_is_refused() -> None:
    plan = RunningPlan(task("t1", decision="d1"), decisions=[DECISION])
    assert "cancel the plan" in plan.refuses(Amend(amendment=plan.amendment(remove("t1")))).message


DECISION = {
    "id": "d1",
    "question": "which?",
    "options": [{"label": "a"}, {"label": "b"}],
}


def test_new_tasks_are_completed_from_the_template_and_wait_for_decisions() -> None:
    lint = VerificationStep(type=StepType.COMMAND, label="lint", command="make lint")
    template = PlanTemplate(name="strict", verification=VerificationDefaults(steps=(lint,)))
    plan = RunningPlan(task("t1"), template=template, decisions=[DECISION])
    plan.change(add("t9", decision="d1"), add("t10", skips_template_steps=True))
    assert [s.label for s in plan.state.tasks["t9"].task.verification] == ["lint"]
    assert plan.statuses == {"t1": "running", "t9": "needs_decision", "t10": "running"}
    warned = next(e for e in plan.events if e.kind == "amendment_proposed").model_dump()
    assert "leaves out" in warned["warnings"][0]["text"]
    before = plan.state.tasks["t9"].task.verification
    plan.change(modify("t9", title="another"))
    assert plan.state.tasks["t9"].task.verification == before


def test_reordered_tasks_come_before_all_that_wait(plan: RunningPlan) -> None:
    plan.send(Pause())
    plan.change(add("t8"), add("t9"), reorder("t9", "t5"))
    assert list(plan.statuses) == ["t1", "t2", "t9", "t5", "t4", "t8"]


def test_a_task_that_is_removed_is_gone_even_where_it_is_put_first(plan: RunningPlan) -> None:
    plan.send(Pause())
    plan.change(reorder("t5"), remove("t5"))
    assert "t5" not in plan.statuses


def test_a_session_has_one_open_proposal_and_people_several(plan: RunningPlan) -> None:
    first = plan.propose(remove("t5"))
    second = plan.propose(add("t9"))
    assert list(plan.state.requests) == [second]
    assert plan.propose(add("t9")) == second
    for name in "abcd":
        plan.amend(add(f"t-{name}"))
    assert plan.refuses(Amend(amendment=plan.amendment(add("t-e")))).type == "wrong_state"
    assert first not in plan.state.requests


def test_only_chats_and_their_planners_propose(plan: RunningPlan) -> None:
    proposal = plan.amendment(remove("t5"))
    for session in (f"{CHAT}/nobody", f"{plan.state.thread_id}/session-1"):
        sent = ProposeAmendment(session_id=session, amendment=proposal)
        assert plan.refuses(sent).type == "wrong_state"
