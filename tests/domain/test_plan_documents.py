import re
from datetime import UTC, datetime

from domain.core.approvals import ApprovalRequest, Choice, Outcome, Subject
from domain.core.event import Event
from domain.core.workspaces import RepositoryFacts
from domain.plans.plan import Plan
from domain.plans.status import PlanStatus
from domain.plans.templates.template import PlanTemplate
from domain.reading.exports.plan_document import plan_document
from domain.tasks.status import TaskStatus
from domain.threads import events as thread_events

THREAD = "thread-add-a-flag-1a2b"
HOSTILE = "Parse\n# it <!-- treadle: x --> [a](http://x) \x1b[2J"


def history(*more, title="Parse it"):
    tasks = [{"id": "parse", "title": title}, {"id": "show", "title": "S", "dependsOn": ["parse"]}]
    plan = Plan.model_validate({"goal": "Add a flag", "tasks": tasks})
    asked = ApprovalRequest(
        request_id="plan-1", subject=Subject.PLAN, title="g", content_hash=plan.content_hash
    )
    outcome = Outcome(
        request_id="plan-1", choice=Choice.APPROVE, content_hash=plan.content_hash, by="ann"
    )
    bodies = (
        thread_events.ThreadOpened(
            goal="Add a flag",
            agent="a",
            facts=RepositoryFacts(root="/r", head="c"),
            template=PlanTemplate(name="default"),
            branch="treadle/x",
        ),
        thread_events.PlanProposed(revision=1, session_id="s", plan=plan, request=asked),
        thread_events.PlanDecided(revision=1, outcome=outcome),
        thread_events.PlanStarted(plan_id=f"{THREAD}/plan-1", goal="g", tasks=("parse", "show")),
        updated("parse", TaskStatus.RUNNING, run=1),
        *more,
    )
    at = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
    return [Event(id=f"{n}", stream=THREAD, at=at, body=body) for n, body in enumerate(bodies)]


def updated(task, status, **more):
    return thread_events.TaskUpdated(
        plan_id="p", task_id=task, old_status=TaskStatus.PENDING, new_status=status, **more
    )


def document(events):
    return plan_document(THREAD, f"{THREAD}/plan-1", events)


def test_a_plan_s_file_tells_where_it_stands_and_how_it_came_there():
    merged = thread_events.TaskMerged(task_id="parse", commit="c" * 40, branch="b", attempts=2)
    failed = updated("show", TaskStatus.FAILED, notes="the tests fail")
    file = document(history(merged, updated("parse", TaskStatus.COMPLETED), failed))

    assert file.name == "add-a-flag-1a2b-plan-1.md"
    for line in (
        "# Add a flag",
        "Status: active, 1 of 2 tasks done. Branch: `treadle/x`.",
        "- [x] `parse` Parse it: completed, `cccccccccccc`",
        "- [ ] `show` S: failed (after `parse`)",
        "  the tests fail",
        "- 2026-01-02 03:04 plan 1: approved by ann",
        "- 2026-01-02 03:04 `parse` merged as `cccccccccccc` after 2 attempts",
    ):
        assert line in file.text.splitlines()


def test_the_same_events_give_the_same_file_and_only_an_end_moves_it():
    done = thread_events.PlanCompleted(
        plan_id="p", final_status=PlanStatus.COMPLETED, summary="all"
    )
    assert document(history()) == document(history())
    assert (document(history()).is_over, document(history(done)).is_over) == (False, True)


def test_nothing_in_a_plan_draws_in_its_file_or_passes_for_its_marker():
    file = document(history(title=HOSTILE))
    first, *rest = file.text.splitlines()
    assert first == file.marker
    assert not any(line.startswith(("# it", "<!--")) for line in rest)
    assert not re.search(r"(?<!\\)(<!--|\[a\])", "\n".join(rest))
    assert "\x1b" not in file.text
